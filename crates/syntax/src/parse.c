// tree-sitter's parser, for texts that are parsed once.
//
// The library keeps trees that threads share and that are parsed again after an edit, and each of its steps allows for
// several readings of a text. Nearly all steps of real code have one reading. This file takes in the library's own sources,
// of the very version that the manifest names, under names of our own (`names.h`, made by build.rs) and gives what takes most
// of the time a shorter way: shifts and reductions while there is one reading, the table of actions, the next character. What is
// ambiguous or wrong goes the library's way, to the letter. A test compares the trees with the library's.
//
// Memory is the region's (`region.rs`) and is given up with it, so that what is not needed any more is not looked after.

#define TREE_SITTER_HIDE_SYMBOLS

// No other thread ever sees these trees.
#define TREE_SITTER_ATOMIC_H_
#include <stddef.h>
#include <stdint.h>
static inline size_t atomic_load(const volatile size_t *p) { return *p; }
static inline uint32_t atomic_inc(volatile uint32_t *p) { return *p += 1; }
static inline uint32_t atomic_dec(volatile uint32_t *p) { return *p -= 1; }

void *portolan_take(size_t size);
void *portolan_take_zeros(size_t count, size_t size);
void *portolan_resize(void *piece, size_t size);
void portolan_give(void *piece);
#define ts_malloc portolan_take
#define ts_calloc portolan_take_zeros
#define ts_realloc portolan_resize
#define ts_free portolan_give

#include "names.h"

#include "language.c"
#include "lexer.c"
#include "wasm_store.c"

#undef ts_subtree_new_node
#define ts_subtree_new_node subtree_new_node_theirs
#include "subtree.c"
#undef ts_subtree_new_node

#undef ts_stack_push
#undef ts_stack_pop_count
#define ts_stack_push stack_push_theirs
#define ts_stack_pop_count stack_pop_count_theirs
#include "stack.c"
#undef ts_stack_push
#undef ts_stack_pop_count

#if defined(_MSC_VER)
#define OF_THREAD __declspec(thread)
#else
#define OF_THREAD _Thread_local
#endif

// --- The table of actions. What a state does with a symbol is looked for in a list; a text asks the same again and again.

#define RECENT_BITS 11

static OF_THREAD uint64_t recent[1 << RECENT_BITS];
static OF_THREAD const TSLanguage *recent_language;

static void begin_lookups(const TSLanguage *language) {
  if (recent_language == language) return;
  memset(recent, 0, sizeof(recent));
  recent_language = language;
}

static inline uint16_t lookup(const TSLanguage *language, TSStateId state, TSSymbol symbol) {
  if (state < language->large_state_count) {
    return language->parse_table[state * language->symbol_count + symbol];
  }
  uint32_t key = (uint32_t)state << 16 | symbol;
  uint64_t *place = &recent[key * 0x9E3779B1u >> (32 - RECENT_BITS)];
  // No small state is 0, so that no key is.
  if (*place >> 16 != key) *place = (uint64_t)key << 16 | ts_language_lookup(language, state, symbol);
  return (uint16_t)*place;
}

static void entry_of(const TSLanguage *language, TSStateId state, TSSymbol symbol, TableEntry *result) {
  if (symbol == ts_builtin_sym_error || symbol == ts_builtin_sym_error_repeat) {
    *result = (TableEntry) { .actions = NULL };
    return;
  }
  const TSParseActionEntry *entry = &language->parse_actions[lookup(language, state, symbol)];
  result->action_count = entry->entry.count;
  result->is_reusable = entry->entry.reusable;
  result->actions = (const TSParseAction *)(entry + 1);
}

static TSStateId state_after(const TSLanguage *language, TSStateId state, TSSymbol symbol) {
  bool is_nonterminal = symbol >= language->token_count && symbol < language->symbol_count;
  if (is_nonterminal && state < language->state_count) return lookup(language, state, symbol);
  return ts_language_next_state(language, state, symbol);
}

// --- The next character. There is one range, and what is read never goes beyond its end.

typedef struct {
  const char *text;
  uint32_t end;
} Text;

static const char *read_text(void *payload, uint32_t byte, TSPoint point, uint32_t *length) {
  (void)point;
  Text *self = payload;
  *length = byte < self->end ? self->end - byte : 0;
  return *length ? self->text + byte : "";
}

static void advance(TSLexer *data, bool skip) {
  Lexer *self = (Lexer *)data;
  uint32_t at = self->current_position.bytes + 1 - self->chunk_start;
  if (at >= self->chunk_size || self->lookahead_size != 1 || (uint8_t)self->chunk[at] >= 0x80) {
    ts_lexer__advance(data, skip);
    return;
  }
  self->current_position.bytes++;
  if (data->lookahead == '\n') {
    self->current_position.extent.row++;
    self->current_position.extent.column = 0;
    ts_lexer__set_column_data(self, 0);
  } else {
    self->current_position.extent.column++;
    self->column_data.value += self->column_data.valid;
  }
  if (skip) self->token_start_position = self->current_position;
  data->lookahead = (uint8_t)self->chunk[at];
}

static void mark_end(TSLexer *data) {
  Lexer *self = (Lexer *)data;
  self->token_end_position = self->current_position;
}

// --- Nodes of the tree, without what only matters when a tree is parsed again.

static void summarize(SubtreeHeapData *self, const Subtree *children, const TSLanguage *language) {
  Length size = length_zero();
  uint32_t error_cost = 0, n_visible = 0, n_descendants = 0, structural = 0;
  int32_t dynamic_precedence = 0;
  bool has_external_tokens = false;
  bool is_faulty = self->symbol == ts_builtin_sym_error || self->symbol == ts_builtin_sym_error_repeat;
  const TSSymbol *aliases = ts_language_alias_sequence(language, self->production_id);
  for (uint32_t i = 0; i < self->child_count; i++) {
    Subtree child = children[i];
    TSSymbol symbol;
    bool is_visible, is_extra;
    uint32_t n_inside = 0, n_visible_inside = 0;
    if (child.data.is_inline) {
      SubtreeInlineData leaf = child.data;
      symbol = leaf.symbol;
      is_visible = leaf.visible;
      is_extra = leaf.extra;
      Length own = {leaf.size_bytes, {0, leaf.size_bytes}};
      Length padding = {leaf.padding_bytes, {leaf.padding_rows, leaf.padding_columns}};
      if (i == 0) {
        self->padding = padding;
        size = own;
      } else {
        size = length_add(length_add(size, padding), own);
      }
    } else {
      const SubtreeHeapData *inner = child.ptr;
      symbol = inner->symbol;
      is_visible = inner->visible;
      is_extra = inner->extra;
      n_inside = inner->child_count;
      if (i == 0) {
        self->padding = inner->padding;
        size = inner->size;
      } else {
        size = length_add(size, length_add(inner->padding, inner->size));
      }
      has_external_tokens |= inner->has_external_tokens;
      if (n_inside > 0) {
        n_visible_inside = inner->visible_child_count;
        n_descendants += inner->visible_descendant_count;
        dynamic_precedence += inner->dynamic_precedence;
      }
    }
    uint32_t cost = ts_subtree_error_cost(child);
    if (cost > 0 || is_faulty) {
      if (symbol == ts_builtin_sym_error_repeat) {
        cost -= ts_subtree__error_extent_cost(ts_subtree_size(child));
      } else if (is_faulty && !is_extra && !(symbol == ts_builtin_sym_error && n_inside == 0)) {
        cost += ERROR_COST_PER_SKIPPED_TREE * (is_visible ? 1 : n_visible_inside);
      }
      error_cost += cost;
    }
    if (is_visible || (aliases && !is_extra && symbol != 0 && aliases[structural] != 0)) {
      n_descendants++;
      n_visible++;
    } else {
      n_visible += n_visible_inside;
    }
    structural += !is_extra;
  }
  if (is_faulty) error_cost += ts_subtree__error_extent_cost(size);
  self->size = size;
  self->error_cost = error_cost;
  self->visible_child_count = n_visible;
  self->visible_descendant_count = n_descendants;
  self->dynamic_precedence = dynamic_precedence;
  self->has_external_tokens = has_external_tokens;
}

// Takes over the children, which have room for the node behind them if `capacity` says so.
static MutableSubtree new_node(TSSymbol symbol, SubtreeArray *children, unsigned production, const TSLanguage *language) {
  size_t whole = ts_subtree_alloc_size(children->size);
  if (children->capacity * sizeof(Subtree) < whole) {
    children->contents = ts_realloc(children->contents, whole);
    children->capacity = (uint32_t)(whole / sizeof(Subtree));
  }
  TSSymbolMetadata metadata = ts_language_symbol_metadata(language, symbol);
  SubtreeHeapData *data = (SubtreeHeapData *)&children->contents[children->size];
  *data = (SubtreeHeapData) {
    .ref_count = 1,
    .symbol = symbol,
    .child_count = children->size,
    .visible = metadata.visible,
    .named = metadata.named,
    .production_id = production,
  };
  summarize(data, children->contents, language);
  return (MutableSubtree) {.ptr = data};
}

// --- The stack. Its nodes have room for eight ways back, and nearly all have one.

static StackNode *node_on(Stack *self, StackNode *below, Subtree subtree, bool is_pending, TSStateId state) {
  StackNode *node = self->node_pool.size > 0 ? array_pop(&self->node_pool) : ts_malloc(sizeof(StackNode));
  node->state = state;
  node->ref_count = 1;
  node->link_count = 1;
  node->links[0] = (StackLink) { .node = below, .subtree = subtree, .is_pending = is_pending };
  node->position = below->position;
  node->error_cost = below->error_cost;
  node->node_count = below->node_count;
  node->dynamic_precedence = below->dynamic_precedence;
  if (subtree.ptr) {
    node->position = length_add(node->position, ts_subtree_total_size(subtree));
    node->error_cost += ts_subtree_error_cost(subtree);
    node->node_count += stack__subtree_node_count(subtree);
    node->dynamic_precedence += ts_subtree_dynamic_precedence(subtree);
  }
  return node;
}

static void push(Stack *self, StackVersion version, Subtree subtree, bool is_pending, TSStateId state) {
  StackHead *head = &self->heads.contents[version];
  head->node = node_on(self, head->node, subtree, is_pending, state);
  if (!subtree.ptr) head->node_count_at_last_error = head->node->node_count;
}

// The node below so many subtrees, and with those that may stand anywhere, how many they are; NULL where there is more than
// one way back. `is_own` is false where something else has a hold on what is on the way.
static StackNode *below(StackNode *node, uint32_t count, uint32_t *n, bool *is_own) {
  *n = 0;
  while (count > 0) {
    if (node->link_count != 1) return NULL;
    StackLink *link = &node->links[0];
    if (!link->subtree.ptr) return NULL;
    *is_own &= node->ref_count == 1;
    count -= !ts_subtree_extra(link->subtree);
    (*n)++;
    node = link->node;
  }
  return node;
}

static Subtree *room_for(uint32_t n, SubtreeArray *children) {
  children->contents = ts_malloc(ts_subtree_alloc_size(n));
  children->capacity = (uint32_t)(ts_subtree_alloc_size(n) / sizeof(Subtree));
  children->size = n;
  return children->contents;
}

static StackSliceArray pop_count(Stack *self, StackVersion version, uint32_t count) {
  uint32_t n;
  bool is_own = true;
  StackNode *top = self->heads.contents[version].node;
  StackNode *node = below(top, count, &n, &is_own);
  if (!node) return stack_pop_count_theirs(self, version, count);
  SubtreeArray children;
  Subtree *contents = room_for(n, &children);
  for (uint32_t i = n; i > 0; i--) {
    contents[i - 1] = top->links[0].subtree;
    ts_subtree_retain(contents[i - 1]);
    top = top->links[0].node;
  }
  array_clear(&self->slices);
  StackSlice slice = { children, ts_stack__add_version(self, version, node) };
  array_push(&self->slices, slice);
  return self->slices;
}

#undef ts_language_table_entry
#undef ts_language_next_state
#define ts_language_table_entry entry_of
#define ts_language_next_state state_after
#define ts_subtree_new_node new_node
#define ts_stack_push push
#define ts_stack_pop_count pop_count
#include "parser.c"

// --- Steps.

// What a reduction does where there is one reading and nothing else has a hold on it: what is on top of the stack becomes a
// node, in its place. False, and nothing is done, elsewhere.
static bool reduce_alone(TSParser *self, TSParseAction action, bool is_end_of_extra) {
  Stack *stack = self->stack;
  StackHead *head = &stack->heads.contents[0];
  uint32_t n;
  bool is_own = true;
  StackNode *node = below(head->node, action.reduce.child_count, &n, &is_own);
  if (!node || !is_own) return false;

  SubtreeArray children;
  Subtree *contents = room_for(n, &children);
  StackNode *top = head->node;
  for (uint32_t i = n; i > 0; i--) {
    StackNode *popped = top;
    contents[i - 1] = popped->links[0].subtree;
    top = popped->links[0].node;
    if (stack->node_pool.size < MAX_NODE_POOL_SIZE) {
      array_push(&stack->node_pool, popped);
    } else {
      ts_free(popped);
    }
  }
  head->node = node;
  ts_subtree_array_remove_trailing_extras(&children, &self->trailing_extras);

  MutableSubtree parent = new_node(action.reduce.symbol, &children, action.reduce.production_id, self->language);
  TSStateId next = state_after(self->language, node->state, action.reduce.symbol);
  if (is_end_of_extra && next == node->state) parent.ptr->extra = true;
  parent.ptr->parse_state = node->state;
  parent.ptr->dynamic_precedence += action.reduce.dynamic_precedence;
  push(stack, 0, ts_subtree_from_mut(parent), false, next);
  for (uint32_t i = 0; i < self->trailing_extras.size; i++) {
    push(stack, 0, self->trailing_extras.contents[i], false, next);
  }
  return true;
}

// Whether the parser may go on.
static inline bool may_go_on(TSParser *self) {
  if (++self->operation_count < OP_COUNT_PER_PARSER_CALLBACK_CHECK) return true;
  self->operation_count = 0;
  return !self->parse_options.progress_callback(&self->parse_state);
}

// Takes one version of the stack beyond the next token, as `ts_parser__advance` does where there is no older tree. False if
// the parser is to stop.
static bool step(TSParser *self, StackVersion version) {
  Stack *stack = self->stack;
  const TSLanguage *language = self->language;
  TSStateId state = ts_stack_state(stack, version);
  uint32_t position = ts_stack_position(stack, version).bytes;
  Subtree last_external_token = ts_stack_last_external_token(stack, version);
  TableEntry entry = {.action_count = 0};
  Subtree lookahead = ts_parser__get_cached_token(self, state, position, last_external_token, &entry);
  bool needs_lex = !lookahead.ptr;
  for (;;) {
    if (needs_lex) {
      needs_lex = false;
      lookahead = ts_parser__lex(self, version, state);
      if (lookahead.ptr) ts_parser__set_cached_token(self, position, last_external_token, lookahead);
      // Without one, what stands anywhere has come to its end.
      entry_of(language, state, lookahead.ptr ? ts_subtree_symbol(lookahead) : ts_builtin_sym_end, &entry);
    }
    if (!may_go_on(self)) return false;

    // Each reduction but the last leaves the version as it was, so that others can begin with it.
    bool has_reduced = false, is_in_place = false;
    StackVersion reduced = STACK_VERSION_NONE;
    for (uint32_t i = 0; i < entry.action_count; i++) {
      TSParseAction action = entry.actions[i];
      switch (action.type) {
        case TSParseActionTypeShift:
          if (action.shift.repetition) break;
          ts_parser__shift(self, version, action.shift.extra ? state : action.shift.state, lookahead, action.shift.extra);
          return true;
        case TSParseActionTypeReduce:
          has_reduced = true;
          if (
            entry.action_count == 1 && ts_stack_version_count(stack) == 1 &&
            reduce_alone(self, action, !lookahead.ptr)
          ) {
            is_in_place = true;
            break;
          }
          StackVersion made = ts_parser__reduce(
            self, version, action.reduce.symbol, action.reduce.child_count, action.reduce.dynamic_precedence,
            action.reduce.production_id, entry.action_count > 1, !lookahead.ptr
          );
          if (made != STACK_VERSION_NONE) reduced = made;
          break;
        case TSParseActionTypeAccept:
          ts_parser__accept(self, version, lookahead);
          return true;
        case TSParseActionTypeRecover:
          ts_parser__recover(self, version, lookahead);
          return true;
      }
    }

    if (is_in_place || reduced != STACK_VERSION_NONE) {
      if (!is_in_place) ts_stack_renumber_version(stack, reduced, version);
      state = ts_stack_state(stack, version);
      if (lookahead.ptr) {
        entry_of(language, state, ts_subtree_leaf_symbol(lookahead), &entry);
      } else {
        needs_lex = true;
      }
      continue;
    }
    // What came of it is another version's too.
    if (has_reduced) {
      if (lookahead.ptr) ts_subtree_release(&self->tree_pool, lookahead);
      ts_stack_halt(stack, version);
      return true;
    }

    // A keyword may be a mere word here.
    TSSymbol word = language->keyword_capture_token;
    if (
      ts_subtree_is_keyword(lookahead) && ts_subtree_symbol(lookahead) != word &&
      !ts_language_is_reserved_word(language, state, ts_subtree_symbol(lookahead))
    ) {
      entry_of(language, state, word, &entry);
      if (entry.action_count > 0) {
        MutableSubtree changed = ts_subtree_make_mut(&self->tree_pool, lookahead);
        ts_subtree_set_symbol(&changed, word, language);
        lookahead = ts_subtree_from_mut(changed);
        continue;
      }
    }

    if (state == ERROR_STATE) {
      ts_parser__recover(self, version, lookahead);
      return true;
    }
    if (ts_parser__breakdown_top_of_stack(self, version)) {
      state = ts_stack_state(stack, version);
      ts_subtree_release(&self->tree_pool, lookahead);
      needs_lex = true;
      continue;
    }
    ts_stack_pause(stack, version, lookahead);
    return true;
  }
}

// Takes all versions to the end of the text, as `ts_parser_parse` does. False if the parser was stopped.
static bool run(TSParser *self) {
  Stack *stack = self->stack;
  uint32_t last_position = 0, n_versions;
  do {
    for (StackVersion version = 0; n_versions = ts_stack_version_count(stack), version < n_versions; version++) {
      while (ts_stack_is_active(stack, version)) {
        if (!step(self, version)) return false;
        uint32_t position = ts_stack_position(stack, version).bytes;
        if (position > last_position || (version > 0 && position == last_position)) {
          last_position = position;
          break;
        }
      }
    }
    // A single active version has no other to be compared with, so that `ts_parser__condense_stack` would only do this: a
    // reduction can lower the node count below what it was at the last error, and nodes since then count from there.
    if (n_versions == 1 && ts_stack_is_active(stack, 0) && !self->finished_tree.ptr) {
      StackHead *head = &stack->heads.contents[0];
      if (head->node_count_at_last_error > head->node->node_count) {
        head->node_count_at_last_error = head->node->node_count;
      }
      continue;
    }
    unsigned least_cost = ts_parser__condense_stack(self);
    if (self->finished_tree.ptr && ts_subtree_error_cost(self->finished_tree) < least_cost) break;
  } while (n_versions != 0);
  return true;
}

// --- What Rust asks.

typedef struct {
  bool (*is_spent)(void *);
  void *budget;
} Stop;

static bool is_to_stop(TSParseState *state) {
  Stop *stop = state->payload;
  return stop->is_spent(stop->budget);
}

// Parses a range of a text into memory of the region. How many nodes the tree has that are seen; 0 if `is_spent`, which is
// asked now and then, put an end to it.
uint32_t portolan_parse(
  const TSLanguage *language,
  const char *text,
  uint32_t length,
  const TSRange *range,
  bool (*is_spent)(void *),
  void *budget,
  Subtree *root
) {
  Stop stop = { is_spent, budget };
  Text source = { text, range->end_byte < length ? range->end_byte : length };
  TSParser *self = ts_parser_new();
  self->language = language;
  self->lexer.data.advance = advance;
  self->lexer.data.mark_end = mark_end;
  self->parse_options = (TSParseOptions) { &stop, is_to_stop };
  self->parse_state.payload = &stop;
  ts_lexer_set_included_ranges(&self->lexer, range, 1);
  ts_lexer_set_input(&self->lexer, (TSInput) { &source, read_text, TSInputEncodingUTF8, NULL });
  begin_lookups(language);
  ts_parser__external_scanner_create(self);
  bool is_done = run(self);
  ts_parser__external_scanner_destroy(self);
  if (!is_done || !self->finished_tree.ptr) return 0;
  *root = self->finished_tree;
  return ts_subtree_visible_descendant_count(*root) + 1;
}
