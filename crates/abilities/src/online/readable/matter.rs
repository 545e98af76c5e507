use super::tag::Tag;
use super::tree::{Kind, NodeId, ROOT, Tree};

/// Measures of the content below a node.
#[derive(Debug, Clone, Copy, Default)]
struct Below {
    /// The number of characters other than white space.
    length: f32,
    /// The number of those inside links.
    linked: f32,
    commas: f32,
}

impl Below {
    fn link_share(self) -> f32 {
        if self.length > 0.0 { self.linked / self.length } else { 0.0 }
    }
}

/// The length from which a part can be the main content by itself.
const SHORTEST: f32 = 250.0;
/// The length from which a paragraph counts.
const PARAGRAPH: f32 = 25.0;

/// Returns the nodes of the main content, in order.
pub(super) fn find(tree: &Tree) -> Vec<NodeId> {
    let below = measure(tree);
    if let Some(marked) = marked(tree, &below) {
        return vec![marked];
    }
    let scores = score(tree, &below);
    let best = (0..tree.nodes.len())
        .filter(|node| scores[*node] > 0.0)
        .max_by(|left, right| scores[*left].total_cmp(&scores[*right]));
    let Some(best) = best else { return vec![ROOT] };
    let chosen = with_siblings(tree, &below, &scores, best);
    let length: f32 = chosen.iter().map(|node| below[*node].length).sum();
    // A page without main content is taken as a whole: a list of links, a table, a form.
    if length < SHORTEST && below[ROOT].length > 2.0 * length { vec![ROOT] } else { chosen }
}

/// Returns the number of characters below these nodes, white space excluded.
pub(super) fn length(tree: &Tree, nodes: &[NodeId]) -> f32 {
    let below = measure(tree);
    nodes.iter().map(|node| below[*node].length).sum()
}

#[allow(clippy::cast_precision_loss, reason = "a page is far shorter than what a float can count")]
fn measure(tree: &Tree) -> Vec<Below> {
    let mut below = vec![Below::default(); tree.nodes.len()];
    // Children come after their parents, so in reverse order each sum is complete before it is added to the parent.
    for (node, inner) in tree.nodes.iter().enumerate().rev() {
        match &inner.kind {
            Kind::Text(range) => {
                let text = &tree.words[range.clone()];
                below[node].length = text.chars().filter(|c| !c.is_whitespace()).count() as f32;
                below[node].commas = text.matches([',', '，', '、', '،']).count() as f32;
            }
            Kind::Element(Tag::Link) => below[node].linked = below[node].length,
            Kind::Element(_) => {}
        }
        if node != ROOT {
            let own = below[node];
            let parent = &mut below[inner.parent];
            parent.length += own.length;
            parent.linked += own.linked;
            parent.commas += own.commas;
        }
    }
    below
}

/// Returns the node that the page itself marks as its main content.
fn marked(tree: &Tree, below: &[Below]) -> Option<NodeId> {
    let holds = |node: &NodeId| below[*node].length >= SHORTEST && below[*node].link_share() < 0.6;
    let all = |tag: Tag| -> Vec<NodeId> {
        (0..tree.nodes.len()).filter(|node| tree.tag(*node) == Some(tag)).filter(holds).collect()
    };
    let (articles, mains) = (all(Tag::Article), all(Tag::Main));
    let largest = articles.iter().copied().max_by(|a, b| below[*a].length.total_cmp(&below[*b].length));
    // One of several articles is the main content only if the others are minor.
    let rest: f32 = articles.iter().map(|node| below[*node].length).sum::<f32>();
    let lone = largest.filter(|node| below[*node].length > 0.6 * rest);
    match (lone, mains.as_slice()) {
        (Some(article), []) => Some(article),
        (Some(article), [main, ..]) if below[article].length > 0.6 * below[*main].length => Some(article),
        (_, [main, ..]) => Some(*main),
        (None, []) => None,
    }
}

fn score(tree: &Tree, below: &[Below]) -> Vec<f32> {
    let mut scores = vec![0.0; tree.nodes.len()];
    for node in 0..tree.nodes.len() {
        let Some(tag) = tree.tag(node) else { continue };
        let own = match tag {
            Tag::Paragraph | Tag::Pre | Tag::Quote | Tag::Cell => below[node],
            Tag::Block | Tag::Article | Tag::Main => direct(tree, below, node),
            _ => continue,
        };
        if own.length < PARAGRAPH {
            continue;
        }
        let points = (1.0 + own.commas + (own.length / 100.0).min(3.0)) * (1.0 - own.link_share());
        let mut place =
            if matches!(tag, Tag::Block | Tag::Article | Tag::Main) { node } else { tree.nodes[node].parent };
        for share in [1.0, 0.5, 1.0 / 6.0, 1.0 / 9.0] {
            scores[place] += points * share;
            if place == ROOT {
                break;
            }
            place = tree.nodes[place].parent;
        }
    }
    for (node, score) in scores.iter_mut().enumerate() {
        if *score > 0.0 {
            *score = (*score + tree.nodes[node].favour) * (1.0 - below[node].link_share());
        }
    }
    scores
}

/// Measures the text of the element itself, without its paragraphs.
fn direct(tree: &Tree, below: &[Below], node: NodeId) -> Below {
    let inline = tree.children(node).filter(|child| tree.tag(*child).is_none_or(Tag::is_inline));
    inline.fold(Below::default(), |sum, child| Below {
        length: sum.length + below[child].length,
        linked: sum.linked + below[child].linked,
        commas: sum.commas + below[child].commas,
    })
}

/// Adds siblings that belong to the text, since it may be split into parts with headings between them.
fn with_siblings(tree: &Tree, below: &[Below], scores: &[f32], best: NodeId) -> Vec<NodeId> {
    if best == ROOT {
        return vec![ROOT];
    }
    let enough = (scores[best] * 0.2).max(10.0);
    let belongs = |node: &NodeId| {
        *node == best
            || scores[*node] >= enough
            || match tree.tag(*node) {
                Some(Tag::Heading(_)) => true,
                Some(Tag::Paragraph) => below[*node].length > 80.0 && below[*node].link_share() < 0.25,
                _ => false,
            }
    };
    tree.children(tree.nodes[best].parent).filter(belongs).collect()
}
