use serde_json::{Value, json};

use super::label;

/// A result of a Spotify search that can be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Playable {
    pub name: String,
    pub artist: String,
    pub uri: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Track,
    Artist,
    Album,
    Playlist,
}

const KINDS: [(Kind, &str, &[&str]); 4] = [
    (Kind::Track, "tracks", &["song", "track"]),
    (Kind::Artist, "artists", &["artist", "band"]),
    (Kind::Album, "albums", &["album"]),
    (Kind::Playlist, "playlists", &["playlist", "mix"]),
];

impl Playable {
    /// Returns the request body that plays it.
    pub fn body(&self) -> Value {
        match self.kind {
            Kind::Track => json!({ "uris": [self.uri] }),
            Kind::Artist | Kind::Album | Kind::Playlist => json!({ "context_uri": self.uri }),
        }
    }
}

/// Returns the best result: first by a kind named in the query, then by a name equal to the query, then by Spotify's
/// order.
pub(super) fn best(found: &Value, query: &str, tracks_only: bool) -> Option<Playable> {
    let query = query.to_lowercase();
    let mut best: Option<(i32, Playable)> = None;
    for (kind, key, words) in KINDS {
        if tracks_only && kind != Kind::Track {
            continue;
        }
        let named = words.iter().any(|word| query.split_whitespace().any(|part| part == *word));
        let items = found[key]["items"].as_array().map(Vec::as_slice).unwrap_or_default();
        for (rank, item) in (0..).zip(items.iter().take(5)) {
            let Some(choice) = read(item, kind) else { continue };
            let points = i32::from(named) * 50 + likeness(&choice, &query) - rank;
            if best.as_ref().is_none_or(|(most, _)| points > *most) {
                best = Some((points, choice));
            }
        }
    }
    best.map(|(_, choice)| choice)
}

fn read(item: &Value, kind: Kind) -> Option<Playable> {
    let uri = item["uri"].as_str().filter(|uri| uri.starts_with("spotify:"))?;
    let artist = item["artists"][0]["name"].as_str().unwrap_or_default();
    Some(Playable { name: label(item["name"].as_str()?), artist: label(artist), uri: uri.to_owned(), kind })
}

fn likeness(choice: &Playable, query: &str) -> i32 {
    let (name, artist) = (choice.name.to_lowercase(), choice.artist.to_lowercase());
    let both = [format!("{name} {artist}"), format!("{artist} {name}"), format!("{name} by {artist}")];
    if name == query && matches!(choice.kind, Kind::Artist) {
        40
    } else if both.iter().any(|text| text == query) {
        38
    } else if name == query {
        30
    } else {
        let words: Vec<&str> = query.split_whitespace().collect();
        let met = words.iter().filter(|word| name.contains(*word) || artist.contains(*word)).count();
        let share = if words.is_empty() { 0 } else { met * 20 / words.len() };
        i32::try_from(share).unwrap_or(0) + i32::from(choice.kind == Kind::Track) * 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_what_was_meant() {
        let found = json!({
            "tracks": {"items": [
                {"name": "Moon River", "uri": "spotify:track:1", "artists": [{"name": "Audrey"}]},
                {"name": "Luna", "uri": "spotify:track:2", "artists": [{"name": "Pumpkins"}]},
                {"name": "Evil", "uri": "http://evil.example", "artists": []},
            ]},
            "artists": {"items": [{"name": "Luna", "uri": "spotify:artist:3"}, null]},
            "albums": {"items": [{"name": "Night Songs", "uri": "spotify:album:4", "artists": [{"name": "Nina"}]}]},
            "playlists": {"items": [null, {"name": "Quiet night", "uri": "spotify:playlist:5"}]},
        });
        for (query, expected) in [
            ("moon river", "spotify:track:1"),
            ("Luna", "spotify:artist:3"),
            ("luna by pumpkins", "spotify:track:2"),
            ("night songs album", "spotify:album:4"),
            ("quiet playlist", "spotify:playlist:5"),
            ("something else", "spotify:track:1"),
        ] {
            assert_eq!(best(&found, query, false).unwrap().uri, expected, "{query}");
        }
        assert_eq!(best(&found, "Luna", true).unwrap().uri, "spotify:track:2");
        assert_eq!(best(&json!({}), "moon", false), None);
        assert_eq!(best(&json!({"tracks": {"items": "x"}}), "moon", false), None);
    }
}
