// One pass over tree-sitter's own representation of a tree.
//
// Its cursor finds each node's neighbours anew, and its nodes look for their parents from the root. Reading every node
// of a tree that way takes half as long as parsing; this writes all of them down in the order of the text in a
// fraction of that. The layout of subtrees is private to the library: the headers are those of the very version that
// is linked, which the manifest names exactly, and a test compares what comes out with what the library says.

#include <stdlib.h>

#include "language.h"
#include "subtree.h"

enum {
  NAMED = 1,
  EXTRA = 2,
  MISSING = 4,
  HAS_ERROR = 8,
};

// See `Entry` in tree.rs.
typedef struct {
  uint32_t start;
  uint32_t end;
  uint32_t row;
  uint32_t next;
  uint32_t parent;
  uint16_t kind;
  uint16_t depth;
  uint8_t field;
  uint8_t outer_field;
  uint8_t flags;
} Entry;

// A subtree whose children are being visited.
typedef struct {
  const Subtree *children;
  uint32_t count;
  uint32_t child;
  uint32_t structural_child;
  // Where the next child's padding begins.
  uint32_t byte;
  uint32_t row;
  const TSSymbol *aliases;
  const TSFieldMapEntry *fields;
  const TSFieldMapEntry *fields_end;
  // The visible node that it is or belongs to.
  uint32_t node;
  uint16_t depth;
  bool is_hidden;
  // What a hidden one is called by those around it.
  uint8_t field;
  uint8_t outer_field;
} Frame;

static Frame enter(const TSLanguage *language, Subtree subtree, uint32_t byte, uint32_t row) {
  uint32_t production = subtree.ptr->production_id;
  Frame frame = {
    .children = ts_subtree_children(subtree),
    .count = subtree.ptr->child_count,
    .byte = byte,
    .row = row,
    .aliases = ts_language_alias_sequence(language, production),
  };
  ts_language_field_map(language, production, &frame.fields, &frame.fields_end);
  return frame;
}

static uint16_t kind_of(const TSLanguage *language, TSSymbol symbol) {
  return symbol == ts_builtin_sym_error ? symbol : language->public_symbol_map[symbol];
}

static uint8_t flags_of(const TSLanguage *language, Subtree subtree, TSSymbol alias) {
  bool named = alias ? language->symbol_metadata[alias].named : ts_subtree_named(subtree);
  return (named ? NAMED : 0)
    | (ts_subtree_extra(subtree) ? EXTRA : 0)
    | (ts_subtree_missing(subtree) ? MISSING : 0)
    | (ts_subtree_error_cost(subtree) > 0 ? HAS_ERROR : 0);
}

static void call_it(uint8_t *field, uint8_t *outer_field, uint8_t name) {
  if (!*field) {
    *field = name;
  } else if (!*outer_field) {
    *outer_field = name;
  }
}

// Writes the nodes of a tree to `out`, which has room for `room` of them; how many there are, or 0 if that was not
// enough, for them or at all.
uint32_t portolan_flatten(const TSLanguage *language, const Subtree *tree, Entry *out, uint32_t room) {
  Subtree root = *tree;
  if (room == 0) return 0;
  Length padding = ts_subtree_padding(root);
  out[0] = (Entry) {
    .start = padding.bytes,
    .end = padding.bytes + ts_subtree_size(root).bytes,
    .row = padding.extent.row,
    .next = 1,
    .parent = UINT32_MAX,
    .kind = kind_of(language, ts_subtree_symbol(root)),
    .flags = flags_of(language, root, 0),
  };
  uint32_t n = 1;
  if (ts_subtree_child_count(root) == 0) return n;

  uint32_t height = 1, capacity = 64;
  Frame *frames = malloc(capacity * sizeof(Frame));
  if (!frames) return 0;
  frames[0] = enter(language, root, padding.bytes, padding.extent.row);

  while (height > 0) {
    Frame *frame = &frames[height - 1];
    if (frame->child == frame->count) {
      if (!frame->is_hidden) out[frame->node].next = n;
      height--;
      continue;
    }
    Subtree child = frame->children[frame->child];
    bool is_leaf = child.data.is_inline;
    if (frame->child > 0) {
      frame->byte += is_leaf ? child.data.padding_bytes : child.ptr->padding.bytes;
      frame->row += is_leaf ? child.data.padding_rows : child.ptr->padding.extent.row;
    }
    frame->child++;
    uint32_t byte = frame->byte, row = frame->row;
    frame->byte += is_leaf ? child.data.size_bytes : child.ptr->size.bytes;
    frame->row += is_leaf ? 0 : child.ptr->size.extent.row;

    TSSymbol alias = 0;
    uint8_t field = 0, outer_field = 0;
    if (!ts_subtree_extra(child)) {
      uint32_t at = frame->structural_child++;
      if (frame->aliases) alias = frame->aliases[at];
      for (const TSFieldMapEntry *map = frame->fields; map < frame->fields_end; map++) {
        if (map->child_index == at && !map->inherited) call_it(&field, &outer_field, (uint8_t)map->field_id);
      }
      if (frame->field) call_it(&field, &outer_field, frame->field);
      if (frame->outer_field) call_it(&field, &outer_field, frame->outer_field);
    }
    bool is_visible = alias || ts_subtree_visible(child);
    if (!is_visible && (is_leaf || ts_subtree_visible_child_count(child) == 0)) continue;

    uint32_t node = frame->node;
    uint16_t depth = frame->depth;
    if (is_visible) {
      if (n == room) {
        free(frames);
        return 0;
      }
      depth += depth < UINT16_MAX;
      out[n] = (Entry) {
        .start = byte,
        .end = frame->byte,
        .row = row,
        .next = n + 1,
        .parent = node,
        .kind = kind_of(language, alias ? alias : ts_subtree_symbol(child)),
        .depth = depth,
        .field = field,
        .outer_field = outer_field,
        .flags = flags_of(language, child, alias),
      };
      node = n++;
      if (is_leaf) continue;
    }
    if (ts_subtree_child_count(child) == 0) continue;

    if (height == capacity) {
      capacity *= 2;
      Frame *larger = realloc(frames, capacity * sizeof(Frame));
      if (!larger) {
        free(frames);
        return 0;
      }
      frames = larger;
    }
    Frame *inner = &frames[height++];
    *inner = enter(language, child, byte, row);
    inner->node = node;
    inner->depth = depth;
    inner->is_hidden = !is_visible;
    if (!is_visible) {
      inner->field = field;
      inner->outer_field = outer_field;
    }
  }
  free(frames);
  return n;
}
