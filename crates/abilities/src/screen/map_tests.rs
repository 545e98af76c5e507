use super::*;
use crate::test_support::{payload, run, settings};

#[tokio::test]
async fn a_map_is_shown_as_it_was_given() {
    let map = MapTool::new(settings(|_| ())).unwrap();
    let cases = [
        json!({"lat": 40.7, "lon": -74.0}),
        json!({"lat": -90.0, "lon": 180.0, "zoom": 3, "title": "South", "more": true}),
        json!({"lat": 0.5, "lon": 0.5, "markers": [{"lat": 1.5, "lon": 2.5, "label": "a"}], "route": [[1.5, 2.5], [3.5, 4.5]]}),
        json!({"lat": 0.5, "lon": 0.5, "route": [{"lat": 1.5, "lon": 2.5}]}),
    ];
    for given in cases {
        let output = run(&map, given.clone()).await.unwrap();
        assert_eq!(output.text, "The map is on the screen.");
        assert_eq!(payload(output), given);
    }
}

#[tokio::test]
async fn places_are_understood_however_they_are_written() {
    let map = MapTool::new(settings(|_| ())).unwrap();
    let cases = [
        (json!({"latitude": 1.5, "longitude": 2.5}), (1.5, 2.5)),
        (json!({"lat": 1.5, "lng": 2.5, "zoom": 99}), (1.5, 2.5)),
        (json!({"center": [1.5, 2.5]}), (1.5, 2.5)),
        (json!({"center": {"lat": "1.5", "long": "2.5"}}), (1.5, 2.5)),
        (json!({"coordinates": "48.9° N, 2.4° W"}), (48.9, -2.4)),
        (json!({"markers": [{"lat": 1.0, "lon": 2.0}, [3.0, 4.0]]}), (2.0, 3.0)),
        (json!({"route": [[1.0, 2.0], [3.0, 4.0]]}), (2.0, 3.0)),
        (json!({"place": "paris"}), (48.86, 2.35)),
        (json!({"place": "São Paulo, Brazil"}), (-23.55, -46.63)),
    ];
    for (given, (lat, lon)) in cases {
        let shown =
            payload(run(&map, given.clone()).await.unwrap_or_else(|error| panic!("{given}: {error}")));
        assert_eq!((shown["lat"].as_f64(), shown["lon"].as_f64()), (Some(lat), Some(lon)), "{given}");
        assert!(shown["zoom"].as_f64().is_none_or(|zoom| zoom <= 20.0));
    }
    let shown = payload(run(&map, json!({"markers": ["Tokyo", {"place": "Cairo"}]})).await.unwrap());
    assert_eq!(shown["markers"][1]["label"], "Cairo");
    assert_eq!(shown["markers"][0]["lat"], 35.68);
}

#[tokio::test]
async fn what_is_no_place_is_refused_with_an_example() {
    let map = MapTool::new(settings(|_| ())).unwrap();
    let far = vec![[1.0, 2.0]; 5_001];
    let cases = [
        (json!({}), "lat and lon are missing"),
        (json!({"lat": 3}), "lon is missing"),
        (json!({"lat": 91, "lon": 200}), "lat should be between -90 and 90."),
        (json!({"lat": 139.7, "lon": 35.7}), "the latitude comes first"),
        (json!({"lat": 1, "lon": 181}), "lon should be between"),
        (json!({"place": "Atlantis"}), "I do not know where “Atlantis” is; give lat and lon"),
        (
            json!({"lat": 1, "lon": 1, "markers": [{"label": "x"}]}),
            "markers, item 1, lat and lon are missing",
        ),
        (json!({"lat": 1, "lon": 1, "route": [[1, 2], [3]]}), "route, item 2, should be [lat, lon]"),
        (json!({"lat": 1, "lon": 1, "route": far}), "route has 5001 points"),
        (json!({"center": "NaN, inf"}), "should be"),
    ];
    for (given, says) in cases {
        let error = run(&map, given).await.unwrap_err().to_string();
        assert!(error.contains(says) && error.contains(EXAMPLE), "{error}");
    }
}

#[test]
fn a_map_whose_pictures_are_fetched_sends_out_where_it_is() {
    for online in [false, true] {
        let map = MapTool::new(settings(|config| config.map.online = online)).unwrap();
        assert!(map.spec().has(Effect::Shows));
        assert_eq!(map.effects(&Map::new()).contains(&Effect::SendsOut), online);
    }
}
