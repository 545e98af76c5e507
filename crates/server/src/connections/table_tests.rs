use super::*;

const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

fn limits() -> ConnectionLimits {
    ConnectionLimits { here: 4, elsewhere: 4, of_one_address: 2, ..ConnectionLimits::for_files(1024) }
}

/// A table with a simulated time.
struct Scene {
    table: ConnectionTable,
    now: Instant,
    ends: HashMap<Id, CancellationToken>,
}

impl Scene {
    fn new() -> Self {
        Self { table: ConnectionTable::new(limits()), now: Instant::now(), ends: HashMap::new() }
    }

    fn comes_from(&mut self, side: PeerSide, address: &str) -> Option<Id> {
        let end = CancellationToken::new();
        let peer = Peer::new(side, address.parse().unwrap());
        let id = self.table.admit(peer, end.clone(), self.now)?;
        self.ends.insert(id, end);
        self.table.is_open(id, self.now);
        Some(id)
    }

    fn comes(&mut self) -> Option<Id> {
        self.comes_from(PeerSide::Here, &HOME.to_string())
    }

    fn passes(&mut self, seconds: u64) {
        self.now += Duration::from_secs(seconds);
        self.table.end_overdue(self.now);
    }

    fn is_open(&self, id: Id) -> bool {
        !self.ends[&id].is_cancelled()
    }

    fn request(&mut self, id: Id) {
        self.table.request_came(id, self.now);
    }

    fn idle(&mut self, id: Id) {
        self.request(id);
        self.table.answered(id, self.now);
    }

    /// Makes the connection wait for more of a body.
    fn body(&mut self, id: Id) {
        self.request(id);
        self.table.waits_for_body(id, self.now);
    }

    /// Makes the connection send a response that the client does not read.
    fn unread(&mut self, id: Id) {
        self.request(id);
        self.table.stalls(id, self.now);
    }

    fn socket(&mut self, id: Id) {
        self.request(id);
        self.table.upgraded(id, self.now);
    }
}

/// An action that makes a connection wait.
type State = fn(&mut Scene, Id);

#[test]
fn each_part_has_its_time_and_what_is_answered_or_paused_has_all_of_it() {
    let cases: [(&str, State, Option<u64>); 8] = [
        ("nothing, or half a head", |_, _| {}, Some(20)),
        ("between requests", Scene::idle, Some(120)),
        (
            "half of the next head",
            |scene, id| {
                scene.idle(id);
                scene.table.something_came(id, scene.now);
            },
            Some(20),
        ),
        ("half a body", Scene::body, Some(60)),
        ("a socket that says nothing", Scene::socket, Some(60)),
        ("an answer in progress", Scene::request, None),
        ("an answer that nobody takes", Scene::unread, None),
        (
            "its last part, complete on our side",
            |scene, id| {
                scene.unread(id);
                scene.table.answered(id, scene.now);
            },
            None,
        ),
    ];
    for (name, state, limit) in cases {
        let mut scene = Scene::new();
        let id = scene.comes().unwrap();
        state(&mut scene, id);
        if let Some(seconds) = limit {
            scene.passes(seconds);
            assert!(scene.is_open(id), "{name}: too early");
            scene.passes(1);
            assert!(!scene.is_open(id), "{name}: too late");
        } else {
            scene.passes(24 * 3600);
            assert!(scene.is_open(id), "{name}");
        }
    }
}

#[test]
fn a_handshake_has_a_time_of_its_own() {
    let mut scene = Scene::new();
    let end = CancellationToken::new();
    scene.table.admit(Peer::new(PeerSide::Elsewhere, HOME), end.clone(), scene.now).unwrap();
    scene.passes(10);
    assert!(!end.is_cancelled());
    scene.passes(1);
    assert!(end.is_cancelled());
}

#[test]
fn a_slow_line_is_waited_for_and_a_drip_is_not() {
    for (name, bytes, every, stays) in
        [("a slow line", 512, 20, true), ("in bursts", 100_000, 59, true), ("a drip", 1, 20, false)]
    {
        let mut scene = Scene::new();
        let id = scene.comes().unwrap();
        scene.request(id);
        for _ in 0..100 {
            scene.table.waits_for_body(id, scene.now);
            scene.passes(every);
            scene.table.body_came(id, bytes, scene.now);
            // Processing time does not count.
            scene.passes(3600);
        }
        assert_eq!(scene.is_open(id), stays, "{name}");
    }
}

#[test]
fn what_is_heard_in_the_end_starts_the_time_between_requests() {
    let mut scene = Scene::new();
    let id = scene.comes().unwrap();
    scene.unread(id);
    scene.table.answered(id, scene.now);
    scene.passes(3600);
    scene.table.flows(id, scene.now);
    scene.passes(119);
    assert!(scene.is_open(id));
    scene.passes(2);
    assert!(!scene.is_open(id));
}

#[test]
fn a_socket_that_answers_now_and_then_stays() {
    let mut scene = Scene::new();
    let id = scene.comes().unwrap();
    scene.socket(id);
    for _ in 0..1000 {
        scene.passes(59);
        scene.table.something_came(id, scene.now);
    }
    assert!(scene.is_open(id));
}

#[test]
fn where_no_place_is_left_the_one_that_was_waited_for_longest_goes() {
    let states: [(&str, State); 5] = [
        ("half a head", |_, _| {}),
        ("between requests", Scene::idle),
        ("half a body", Scene::body),
        ("unread", Scene::unread),
        ("a silent socket", Scene::socket),
    ];
    for (name, state) in states {
        let mut scene = Scene::new();
        let ids: Vec<Id> = (0..4)
            .map(|_| {
                let id = scene.comes().unwrap();
                state(&mut scene, id);
                scene.passes(1);
                id
            })
            .collect();
        let next = scene.comes().unwrap();
        assert!(!scene.is_open(ids[0]), "{name}");
        assert!([&ids[1..], &[next]].concat().iter().all(|id| scene.is_open(*id)), "{name}");
    }
}

#[test]
fn nobody_who_is_answered_goes_for_somebody_new() {
    let mut scene = Scene::new();
    let ids: Vec<Id> = (0..4).map(|_| scene.comes().unwrap()).collect();
    for id in &ids {
        scene.request(*id);
    }
    assert_eq!(scene.comes(), None);
    assert!(ids.iter().all(|id| scene.is_open(*id)));
    scene.table.remove(ids[2]);
    assert!(scene.comes().is_some());
}

#[test]
fn an_attack_costs_its_own_connections() {
    // A connection that differs from the attacking ones stays open, however long it takes.
    let crowds: [(&str, State, State); 4] = [
        ("heads, and a paused download", |_, _| {}, Scene::unread),
        ("heads, and an upload", |_, _| {}, Scene::body),
        ("unread answers, and a new one", Scene::unread, |_, _| {}),
        ("silent sockets, and a pause between requests", Scene::socket, Scene::idle),
    ];
    for (name, attack, honest) in crowds {
        let mut scene = Scene::new();
        let one = scene.comes().unwrap();
        honest(&mut scene, one);
        scene.now += Duration::from_secs(15);
        for _ in 0..100 {
            let id = scene.comes().unwrap();
            attack(&mut scene, id);
        }
        assert!(scene.is_open(one), "{name}");
    }
}

#[test]
fn the_network_takes_no_place_of_this_machine_and_one_address_none_of_the_others() {
    let mut scene = Scene::new();
    let mine = scene.comes().unwrap();
    let phone = scene.comes_from(PeerSide::Elsewhere, "192.168.1.7").unwrap();
    scene.request(phone);
    for _ in 0..100 {
        scene.now += Duration::from_millis(1);
        scene.comes_from(PeerSide::Elsewhere, "192.168.1.66").unwrap();
    }
    let from = |scene: &Scene, address: &str| {
        let peer = Peer::new(PeerSide::Elsewhere, address.parse().unwrap());
        scene.table.count(|row| row.peer == peer)
    };
    assert_eq!(from(&scene, "192.168.1.66"), 2);
    // A machine with a whole network of addresses counts as one.
    for last in 0..100 {
        scene.comes_from(PeerSide::Elsewhere, &format!("fd00:1:2:3::{last:x}")).unwrap();
    }
    assert_eq!(from(&scene, "fd00:1:2:3::9"), 2);
    assert!(scene.is_open(mine) && scene.is_open(phone));
    let by_other_name = scene.comes_from(PeerSide::Elsewhere, "::ffff:192.168.1.7").unwrap();
    assert_eq!(scene.table.rows[&by_other_name].peer, scene.table.rows[&phone].peer);
}

#[test]
fn files_are_left_for_everything_else() {
    for files in [256, 1024, 8192, 1_000_000] {
        let ConnectionLimits { here, elsewhere, of_one_address, .. } = ConnectionLimits::for_files(files);
        assert!(here + elsewhere <= files * 3 / 4, "{files}");
        assert!(here >= 128 && elsewhere >= of_one_address && of_one_address >= 16, "{files}");
    }
}
