//! Countries and their well-known cities: a user who lives in Lyon also lives in France.

use std::collections::HashMap;
use std::sync::LazyLock;

/// The names of each country and its cities. Words of a name are joined by `_`.
const COUNTRIES: &[(&str, &str)] = &[
    (
        "england",
        "london manchester liverpool leeds sheffield birmingham bristol bath oxford cambridge york newcastle \
        nottingham leicester brighton exeter plymouth norwich southampton portsmouth",
    ),
    ("scotland", "edinburgh glasgow aberdeen dundee inverness"),
    ("wales", "cardiff swansea"),
    (
        "uk united_kingdom britain great_britain",
        "england scotland wales northern_ireland belfast london manchester liverpool leeds sheffield birmingham \
        bristol bath oxford cambridge york newcastle nottingham leicester brighton exeter plymouth norwich \
        southampton portsmouth edinburgh glasgow aberdeen dundee inverness cardiff swansea",
    ),
    ("ireland", "dublin cork galway"),
    (
        "france",
        "paris lyon marseille nice toulouse bordeaux nantes strasbourg lille rennes grenoble montpellier dijon \
        annecy",
    ),
    (
        "germany",
        "berlin hamburg munich cologne frankfurt stuttgart düsseldorf dusseldorf leipzig dresden hannover hanover \
        nuremberg bremen bonn essen dortmund freiburg heidelberg mainz potsdam münster",
    ),
    ("switzerland", "zurich zürich geneva basel bern lausanne lucerne"),
    ("austria", "vienna salzburg graz linz innsbruck"),
    ("italy", "rome milan turin naples florence venice bologna verona palermo genoa bari"),
    ("spain", "madrid barcelona valencia seville malaga málaga bilbao granada zaragoza"),
    ("portugal", "lisbon porto braga faro coimbra"),
    ("netherlands holland", "amsterdam rotterdam utrecht the_hague eindhoven groningen delft leiden haarlem"),
    ("belgium", "brussels ghent antwerp bruges leuven"),
    ("luxembourg", ""),
    ("denmark", "copenhagen aarhus odense"),
    ("norway", "oslo bergen trondheim stavanger"),
    ("sweden", "stockholm gothenburg malmö malmo uppsala"),
    ("finland", "helsinki tampere turku"),
    ("iceland", "reykjavik"),
    ("estonia", "tallinn tartu"),
    ("latvia", "riga"),
    ("lithuania", "vilnius kaunas"),
    ("poland", "warsaw krakow kraków gdansk gdańsk wroclaw wrocław poznan poznań"),
    ("czechia czech_republic", "prague brno"),
    ("slovakia", "bratislava"),
    ("hungary", "budapest"),
    ("slovenia", "ljubljana"),
    ("croatia", "zagreb split dubrovnik"),
    ("serbia", "belgrade"),
    ("bosnia", "sarajevo"),
    ("bulgaria", "sofia plovdiv"),
    ("romania", "bucharest cluj"),
    ("greece", "athens thessaloniki"),
    ("turkey türkiye", "istanbul ankara izmir"),
    ("ukraine", "kyiv lviv odesa"),
    ("belarus", "minsk"),
    ("russia", "moscow"),
    ("israel", "jerusalem tel_aviv haifa"),
    ("egypt", "cairo alexandria"),
    ("morocco", "casablanca marrakesh marrakech rabat"),
    ("nigeria", "lagos abuja"),
    ("ghana", "accra"),
    ("kenya", "nairobi"),
    ("uganda", "kampala"),
    ("ethiopia", "addis_ababa"),
    ("south_africa", "johannesburg cape_town durban pretoria"),
    ("senegal", "dakar"),
    ("uae emirates", "dubai abu_dhabi"),
    ("iran", "tehran"),
    ("pakistan", "karachi lahore islamabad"),
    ("india", "delhi new_delhi mumbai bangalore bengaluru chennai kolkata hyderabad pune jaipur goa"),
    ("nepal", "kathmandu"),
    ("bangladesh", "dhaka"),
    ("thailand", "bangkok chiang_mai"),
    ("vietnam", "hanoi ho_chi_minh_city saigon"),
    ("malaysia", "kuala_lumpur"),
    ("indonesia", "jakarta bali"),
    ("philippines", "manila cebu"),
    ("taiwan", "taipei"),
    ("china", "shanghai beijing shenzhen guangzhou chengdu hong_kong"),
    ("korea south_korea", "seoul busan"),
    ("japan", "tokyo osaka kyoto nagoya fukuoka sapporo"),
    ("australia", "sydney melbourne brisbane perth adelaide canberra hobart"),
    ("new_zealand", "auckland wellington christchurch dunedin queenstown"),
    (
        "usa us america united_states states",
        "honolulu new_york nyc brooklyn boston philadelphia washington baltimore pittsburgh cleveland chicago detroit \
        minneapolis milwaukee indianapolis cincinnati st_louis kansas_city denver boulder salt_lake_city phoenix \
        tucson albuquerque santa_fe las_vegas los_angeles san_diego san_francisco san_jose oakland berkeley \
        sacramento portland seattle atlanta charlotte raleigh nashville memphis new_orleans houston dallas austin \
        san_antonio miami orlando tampa",
    ),
    ("canada", "vancouver victoria calgary edmonton winnipeg toronto ottawa montreal quebec halifax"),
    ("mexico", "mexico_city guadalajara monterrey oaxaca"),
    ("cuba", "havana"),
    ("colombia", "bogota bogotá medellin medellín cali"),
    ("ecuador", "quito"),
    ("peru", "lima cusco"),
    ("bolivia", "la_paz"),
    ("chile", "santiago valparaiso"),
    ("argentina", "buenos_aires cordoba mendoza"),
    ("uruguay", "montevideo"),
    ("brazil", "são_paulo sao_paulo rio rio_de_janeiro brasilia salvador recife"),
];

/// The index of a country by its name.
static BY_NAME: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let named = COUNTRIES
        .iter()
        .enumerate()
        .flat_map(|(at, (names, _))| names.split_whitespace().map(move |name| (name.replace('_', " "), at)));
    named.collect()
});

/// The indices of the countries that a city or part belongs to.
static BY_PART: LazyLock<HashMap<String, Vec<usize>>> = LazyLock::new(|| {
    let mut by_part: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, (_, parts)) in COUNTRIES.iter().enumerate() {
        for part in parts.split_whitespace() {
            by_part.entry(part.replace('_', " ")).or_default().push(at);
        }
    }
    by_part
});

fn country(place: &str) -> Option<usize> {
    let low = place.to_lowercase();
    BY_NAME.get(low.strip_prefix("the ").unwrap_or(&low)).copied()
}

pub fn is_country(place: &str) -> bool {
    country(place).is_some()
}

/// Returns true if a place may be in a country: it is known to be, or its country is unknown.
pub fn may_hold(whole: &str, place: &str) -> bool {
    let Some(whole) = country(whole) else { return false };
    let low = place.to_lowercase();
    let part = low.split(',').next().unwrap_or_default().trim();
    match BY_PART.get(part) {
        Some(countries) => countries.contains(&whole),
        None => !is_country(part),
    }
}
