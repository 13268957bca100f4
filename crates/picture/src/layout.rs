//! Where boxes and arrows go: in columns from left to right, the arrows through the gaps between boxes.
//!
//! The usual four steps of drawing in layers: every box gets a rank, long edges get a place in each rank that they pass,
//! the order within the ranks is improved until fewer edges cross, and then everything is moved as close as possible to
//! what it is joined with. Every step has one result for one input.

/// Free space between two columns, two boxes, and an edge and what it passes.
const COLUMN_GAP: f64 = 84.0;
const ROW_GAP: f64 = 14.0;
const LANE_GAP: f64 = 8.0;
/// Edges that go far up or down need room to turn: so much of their height, up to a limit.
const STEEP: f64 = 0.08;
const WIDEST_GAP: f64 = 320.0;
/// More boxes at the left or right end are put into several columns, at most so many.
const TALL: usize = 24;
const MAX_SPLIT: usize = 4;
const SWEEPS: usize = 12;

/// A box to be placed, by its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size {
    pub width: f64,
    pub height: f64,
}

/// What is placed.
pub(crate) struct Input<'i> {
    pub sizes: &'i [Size],
    /// From, to.
    pub edges: &'i [(usize, usize)],
    /// The node that everything is seen from, if there is one.
    pub root: Option<usize>,
}

/// Upper left corners, and a path for each edge.
#[derive(Debug, Default)]
pub(crate) struct Placed {
    pub corners: Vec<(f64, f64)>,
    pub paths: Vec<Vec<Segment>>,
    pub width: f64,
    pub height: f64,
}

/// A curve: where it begins, its two handles, and where it ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Segment(pub [(f64, f64); 4]);

/// A box, or the place where an edge passes a column.
struct Item {
    rank: usize,
    /// Where it is in a column before anything is known: an edge where the later one of its ends is.
    order: usize,
    height: f64,
    /// The middle.
    y: f64,
}

pub(crate) fn place(input: &Input<'_>) -> Placed {
    let n_nodes = input.sizes.len();
    if n_nodes == 0 {
        return Placed::default();
    }
    let mut ranks = match input.root {
        Some(root) => ranks_around(root, n_nodes, input.edges),
        None => ranks_downstream(n_nodes, input.edges),
    };
    split_ends(&mut ranks);
    let mut layers = Layers::new(input, &ranks);
    layers.order();
    layers.align();
    let columns = Columns::of(input, &layers);
    let corners = (0..n_nodes).map(|node| {
        let (item, size) = (&layers.items[node], input.sizes[node]);
        // Boxes of a column are of different widths; those in the first end where the arrows begin.
        let slack = columns.widths[item.rank] - size.width;
        let x = columns.lefts[item.rank] + if item.rank == 0 { slack } else { slack / 2.0 };
        (x, item.y - size.height / 2.0)
    });
    let corners: Vec<(f64, f64)> = corners.collect();
    let edges = input.edges.iter().zip(&layers.chains);
    let paths = edges.map(|(edge, chain)| path(*edge, chain, input.sizes, &corners, &layers.items, &columns));
    let mut placed = Placed {
        paths: paths.collect(),
        corners,
        ..Placed::default()
    };
    let ends = placed.paths.iter().flatten().flat_map(|segment| segment.0);
    let far = placed
        .corners
        .iter()
        .zip(input.sizes)
        .map(|((x, y), size)| (x + size.width, y + size.height));
    for (x, y) in ends.chain(far) {
        placed.width = placed.width.max(x);
        placed.height = placed.height.max(y);
    }
    placed
}

/// Everything that has a place in a column, and what is joined with what.
struct Layers {
    /// The boxes first, then the places where edges pass.
    items: Vec<Item>,
    /// Each edge as the items that it passes, from its left end to its right one.
    chains: Vec<Vec<usize>>,
    /// What each item is joined with in the columns to its left and right.
    before: Vec<Vec<usize>>,
    after: Vec<Vec<usize>>,
    /// From left to right, each from above.
    columns: Vec<Vec<usize>>,
}

impl Layers {
    fn new(input: &Input<'_>, ranks: &[usize]) -> Layers {
        let mut items: Vec<Item> = ranks
            .iter()
            .zip(input.sizes)
            .enumerate()
            .map(|(order, (rank, size))| Item {
                rank: *rank,
                order,
                height: size.height,
                y: 0.0,
            })
            .collect();
        let mut chains: Vec<Vec<usize>> = Vec::with_capacity(input.edges.len());
        for (from, to) in input.edges {
            let (left, right) = if ranks[*from] <= ranks[*to] {
                (*from, *to)
            } else {
                (*to, *from)
            };
            let mut chain = vec![left];
            for rank in ranks[left] + 1..ranks[right] {
                chain.push(items.len());
                items.push(Item {
                    rank,
                    order: left.max(right),
                    height: 0.0,
                    y: 0.0,
                });
            }
            chain.push(right);
            chains.push(chain);
        }
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); items.len()];
        for pair in chains.iter().flat_map(|chain| chain.windows(2)) {
            if items[pair[0]].rank < items[pair[1]].rank {
                after[pair[0]].push(pair[1]);
                before[pair[1]].push(pair[0]);
            }
        }
        let n_ranks = ranks.iter().max().map_or(1, |rank| rank + 1);
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); n_ranks];
        for (at, item) in items.iter().enumerate() {
            columns[item.rank].push(at);
        }
        for column in &mut columns {
            column.sort_by_key(|item| items[*item].order);
        }
        Layers {
            items,
            chains,
            before,
            after,
            columns,
        }
    }

    /// Sorts each column by the mean place of what its items are joined with, to and fro, and keeps the best of all tries.
    fn order(&mut self) {
        let Layers {
            columns, before, after, ..
        } = self;
        let mut best = columns.clone();
        let mut fewest = crossings(columns, after);
        for sweep in 0..SWEEPS {
            let mut place = vec![0.0; before.len()];
            let note = |column: &[usize], place: &mut Vec<f64>| {
                for (at, item) in column.iter().enumerate() {
                    place[*item] = (at as f64 + 0.5) / column.len() as f64;
                }
            };
            columns.iter().for_each(|column| note(column, &mut place));
            let forward = sweep % 2 == 0;
            let n_columns = columns.len();
            for step in 0..n_columns {
                let at = if forward { step } else { n_columns - 1 - step };
                let near = if forward { &*before } else { &*after };
                let mut keyed: Vec<(f64, usize, usize)> = columns[at]
                    .iter()
                    .enumerate()
                    .map(|(now, item)| {
                        let near = &near[*item];
                        let sum: f64 = near.iter().map(|other| place[*other]).sum();
                        let mean = if near.is_empty() {
                            place[*item]
                        } else {
                            sum / near.len() as f64
                        };
                        (mean, now, *item)
                    })
                    .collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                columns[at] = keyed.into_iter().map(|(.., item)| item).collect();
                note(&columns[at], &mut place);
            }
            let now = crossings(columns, after);
            if now < fewest {
                (fewest, best) = (now, columns.clone());
            }
        }
        *columns = best;
    }

    /// Moves every item towards what it is joined with, as far as its neighbours in the column let it; the topmost to 0.
    fn align(&mut self) {
        let Layers {
            items,
            columns,
            before,
            after,
            ..
        } = self;
        for column in &*columns {
            let wanted = vec![0.0; column.len()];
            settle(items, column, &wanted);
        }
        for sweep in 0..SWEEPS {
            let n_columns = columns.len();
            for step in 0..n_columns {
                let at = if sweep % 2 == 0 { step } else { n_columns - 1 - step };
                let wanted: Vec<f64> = columns[at]
                    .iter()
                    .map(|item| {
                        let near = before[*item].iter().chain(&after[*item]);
                        let (sum, count) =
                            near.fold((0.0, 0.0), |(sum, count), other| (sum + items[*other].y, count + 1.0));
                        if count > 0.0 { sum / count } else { items[*item].y }
                    })
                    .collect();
                settle(items, &columns[at], &wanted);
            }
        }
        let top = items
            .iter()
            .map(|item| item.y - item.height / 2.0)
            .fold(f64::INFINITY, f64::min);
        for item in items {
            item.y -= top;
        }
    }
}

/// Where columns begin, and how wide they are.
struct Columns {
    lefts: Vec<f64>,
    widths: Vec<f64>,
}

impl Columns {
    fn of(input: &Input<'_>, layers: &Layers) -> Columns {
        let n_columns = layers.columns.len();
        let mut widths = vec![0.0_f64; n_columns];
        for (item, size) in layers.items.iter().zip(input.sizes) {
            widths[item.rank] = widths[item.rank].max(size.width);
        }
        let mut gaps = vec![COLUMN_GAP; n_columns];
        for (item, nexts) in layers.items.iter().zip(&layers.after) {
            for next in nexts {
                let steep = COLUMN_GAP + (layers.items[*next].y - item.y).abs() * STEEP;
                gaps[item.rank] = gaps[item.rank].max(steep.min(WIDEST_GAP));
            }
        }
        let mut lefts = Vec::with_capacity(n_columns);
        let mut left = 0.0;
        for (width, gap) in widths.iter().zip(gaps) {
            lefts.push(left);
            left += width + gap;
        }
        Columns { lefts, widths }
    }
}

/// Who is called by hundreds is no reason for a column of hundreds: the first and the last one become several, and the
/// edges of the outer ones pass between the boxes of the inner ones.
fn split_ends(ranks: &mut [usize]) {
    let Some(last) = ranks.iter().max().copied().filter(|last| *last > 0) else {
        return;
    };
    let columns = |ranks: &[usize], end: usize| {
        let boxes = ranks.iter().filter(|rank| **rank == end).count();
        boxes.div_ceil(TALL).clamp(1, MAX_SPLIT)
    };
    let (first, more) = (columns(ranks, 0), columns(ranks, last));
    let (mut at_first, mut at_last) = (0, 0);
    for rank in ranks {
        if *rank == 0 {
            *rank = at_first % first;
            at_first += 1;
        } else {
            let is_last = *rank == last;
            *rank += first - 1;
            if is_last {
                *rank += at_last % more;
                at_last += 1;
            }
        }
    }
}

/// Callees to the right of what is asked about, callers to its left, by their distance.
fn ranks_around(root: usize, n_nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let distances = |forward: bool| {
        let mut distance: Vec<Option<i64>> = vec![None; n_nodes];
        distance[root] = Some(0);
        let mut reached = vec![root];
        while !reached.is_empty() {
            let mut next = Vec::new();
            for node in reached {
                for (from, to) in edges {
                    let (own, other) = if forward { (*from, *to) } else { (*to, *from) };
                    if own == node && distance[other].is_none() {
                        distance[other] = distance[node].map(|distance| distance + 1);
                        next.push(other);
                    }
                }
            }
            reached = next;
        }
        distance
    };
    let (down, up) = (distances(true), distances(false));
    let signed: Vec<i64> = down
        .iter()
        .zip(&up)
        .map(|pair| match pair {
            (Some(down), Some(up)) if up < down => -up,
            (Some(down), _) => *down,
            (None, Some(up)) => -up,
            (None, None) => 0,
        })
        .collect();
    let least = signed.iter().min().copied().unwrap_or(0);
    signed.iter().map(|rank| (rank - least) as usize).collect()
}

/// Every node to the right of all that lead to it; of a cycle, the edges that close it are left out of account.
fn ranks_downstream(n_nodes: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    let mut degree = vec![0_i64; n_nodes];
    for (from, to) in edges.iter().filter(|(from, to)| from != to) {
        out[*from].push(*to);
        degree[*from] += 1;
        degree[*to] -= 1;
    }
    // From what leads to more than leads to it: then few edges have to go back.
    let mut starts: Vec<usize> = (0..n_nodes).collect();
    starts.sort_by_key(|node| (-degree[*node], *node));
    let mut state = vec![Visit::Not; n_nodes];
    let mut finished = Vec::with_capacity(n_nodes);
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for start in starts {
        if state[start] != Visit::Not {
            continue;
        }
        state[start] = Visit::Open;
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.last_mut() {
            let node = *node;
            match out[node].get(*next) {
                Some(to) => {
                    *next += 1;
                    if state[*to] != Visit::Open {
                        kept.push((node, *to));
                    }
                    if state[*to] == Visit::Not {
                        state[*to] = Visit::Open;
                        stack.push((*to, 0));
                    }
                }
                None => {
                    state[node] = Visit::Done;
                    finished.push(node);
                    stack.pop();
                }
            }
        }
    }
    let mut ranks = vec![0; n_nodes];
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    for (from, to) in kept {
        targets[from].push(to);
    }
    for node in finished.iter().rev() {
        for to in &targets[*node] {
            ranks[*to] = ranks[*to].max(ranks[*node] + 1);
        }
    }
    // What nothing leads to stands next to what it leads to, not at the far left.
    let mut is_led_to = vec![false; n_nodes];
    for to in targets.iter().flatten() {
        is_led_to[*to] = true;
    }
    for node in &finished {
        let nearest = targets[*node].iter().map(|to| ranks[*to]).min();
        if let Some(nearest) = nearest.filter(|_| !is_led_to[*node]) {
            ranks[*node] = nearest - 1;
        }
    }
    ranks
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    Not,
    Open,
    Done,
}

/// How many pairs of edges cross between neighbouring columns.
fn crossings(columns: &[Vec<usize>], after: &[Vec<usize>]) -> usize {
    let mut place = vec![0; after.len()];
    for column in columns {
        for (at, item) in column.iter().enumerate() {
            place[*item] = at;
        }
    }
    let mut total = 0;
    for pair in columns.windows(2) {
        let mut ends: Vec<usize> = Vec::new();
        for item in &pair[0] {
            let mut own: Vec<usize> = after[*item].iter().map(|other| place[*other]).collect();
            own.sort_unstable();
            ends.extend(own);
        }
        // Pairs out of order, counted in a tree of sums.
        let mut tree = vec![0_usize; pair[1].len() + 1];
        for (seen, end) in ends.iter().enumerate() {
            let mut up_to = 0;
            let mut at = end + 1;
            while at > 0 {
                up_to += tree[at];
                at &= at - 1;
            }
            total += seen - up_to;
            let mut at = end + 1;
            while at < tree.len() {
                tree[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
    }
    total
}

/// The places nearest to those that are wanted, in this order and without overlap: items that would overlap are moved
/// as one block.
fn settle(items: &mut [Item], column: &[usize], wanted: &[f64]) {
    // How far below the first of all the items each is when they touch.
    let mut offsets = Vec::with_capacity(column.len());
    let mut offset = 0.0;
    for (at, item) in column.iter().enumerate() {
        if at > 0 {
            let above = &items[column[at - 1]];
            let gap = if above.height > 0.0 && items[*item].height > 0.0 {
                ROW_GAP
            } else {
                LANE_GAP
            };
            offset += (above.height + items[*item].height) / 2.0 + gap;
        }
        offsets.push(offset);
    }
    // Blocks of a sum of wishes and a count of items.
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for (wish, offset) in wanted.iter().zip(&offsets) {
        let mut block = (wish - offset, 1.0);
        while let Some(last) = blocks.last().filter(|last| last.0 / last.1 >= block.0 / block.1) {
            block = (block.0 + last.0, block.1 + last.1);
            blocks.pop();
        }
        blocks.push(block);
    }
    let mut at = 0;
    for (sum, count) in blocks {
        for _ in 0..count as usize {
            items[column[at]].y = sum / count + offsets[at];
            at += 1;
        }
    }
}

/// From the edge of one box to that of another, through the gaps.
fn path(
    (from, to): (usize, usize),
    chain: &[usize],
    sizes: &[Size],
    corners: &[(f64, f64)],
    items: &[Item],
    columns: &Columns,
) -> Vec<Segment> {
    let right_of = |node: usize| {
        (
            corners[node].0 + sizes[node].width,
            corners[node].1 + sizes[node].height / 2.0,
        )
    };
    let left_of = |node: usize| (corners[node].0, corners[node].1 + sizes[node].height / 2.0);
    if from == to {
        let (x, y) = right_of(from);
        let (reach, spread) = (COLUMN_GAP * 0.4, sizes[from].height * 0.3);
        let points = [
            (x, y - spread),
            (x + reach, y - 2.0 * spread),
            (x + reach, y + 2.0 * spread),
            (x, y + spread),
        ];
        return vec![Segment(points)];
    }
    if items[from].rank == items[to].rank {
        let ((x1, y1), (x2, y2)) = (right_of(from), right_of(to));
        let x = x1.max(x2) + COLUMN_GAP * 0.5;
        return vec![Segment([(x1, y1), (x, y1), (x, y2), (x2, y2)])];
    }
    let (left, right) = (chain[0], chain[chain.len() - 1]);
    // A lane runs straight through its column.
    let mut stops = vec![right_of(left)];
    for lane in &chain[1..chain.len() - 1] {
        let Item { rank, y, .. } = items[*lane];
        stops.push((columns.lefts[rank], y));
        stops.push((columns.lefts[rank] + columns.widths[rank], y));
    }
    stops.push(left_of(right));
    if from != left {
        stops.reverse();
    }
    let curve = |pair: &[(f64, f64)]| {
        let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
        let middle = (x1 + x2) / 2.0;
        Segment([(x1, y1), (middle, y1), (middle, y2), (x2, y2)])
    };
    stops.windows(2).map(curve).collect()
}
