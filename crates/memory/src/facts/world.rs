//! Cities and companies that everybody has heard of: a name that is one of them needs no other word to be known as such.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::wordlists::Words;

/// Names of several words are joined by `_`.
fn listed(text: &'static str) -> HashSet<String> {
    text.split_whitespace().map(|name| name.replace('_', " ")).collect()
}

static CITIES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    listed(
        "london paris berlin madrid rome vienna amsterdam brussels lisbon porto dublin cork galway belfast edinburgh \
        glasgow manchester liverpool leeds sheffield birmingham bristol bath oxford cambridge york newcastle nottingham \
        leicester cardiff swansea brighton exeter plymouth norwich southampton portsmouth aberdeen dundee inverness \
        lyon marseille nice toulouse bordeaux nantes strasbourg lille rennes grenoble montpellier dijon annecy \
        hamburg munich cologne frankfurt stuttgart düsseldorf dusseldorf leipzig dresden hannover hanover nuremberg \
        bremen bonn essen dortmund freiburg heidelberg mainz potsdam münster zurich zürich geneva basel bern lausanne \
        lucerne salzburg graz linz innsbruck milan turin naples florence venice bologna verona palermo genoa bari \
        barcelona valencia seville malaga málaga bilbao granada zaragoza braga faro coimbra rotterdam utrecht \
        the_hague eindhoven groningen delft leiden haarlem ghent antwerp bruges leuven luxembourg copenhagen aarhus \
        odense oslo bergen trondheim stavanger stockholm gothenburg malmö malmo uppsala helsinki tampere turku \
        reykjavik tallinn tartu riga vilnius kaunas warsaw krakow kraków gdansk gdańsk wroclaw wrocław poznan poznań \
        prague brno bratislava budapest ljubljana zagreb split dubrovnik belgrade sarajevo skopje sofia plovdiv \
        bucharest cluj athens thessaloniki istanbul ankara izmir kyiv lviv odesa minsk moscow tbilisi yerevan baku \
        jerusalem tel_aviv haifa beirut amman cairo alexandria tunis algiers casablanca marrakesh marrakech rabat \
        lagos abuja accra nairobi kampala addis_ababa dar_es_salaam johannesburg cape_town durban pretoria dakar \
        dubai abu_dhabi doha riyadh kuwait tehran karachi lahore islamabad delhi new_delhi mumbai bangalore bengaluru \
        chennai kolkata hyderabad pune jaipur kathmandu dhaka colombo bangkok chiang_mai hanoi ho_chi_minh_city \
        saigon phnom_penh kuala_lumpur singapore jakarta bali manila cebu taipei hong_kong shanghai beijing shenzhen \
        guangzhou chengdu seoul busan tokyo osaka kyoto nagoya fukuoka sapporo sydney melbourne brisbane perth \
        adelaide canberra hobart auckland wellington christchurch dunedin queenstown honolulu new_york nyc brooklyn \
        boston philadelphia washington baltimore pittsburgh cleveland chicago detroit minneapolis milwaukee \
        indianapolis cincinnati st_louis kansas_city denver boulder salt_lake_city phoenix tucson albuquerque santa_fe \
        las_vegas los_angeles san_diego san_francisco san_jose oakland berkeley sacramento portland seattle vancouver \
        victoria calgary edmonton winnipeg toronto ottawa montreal quebec halifax atlanta charlotte raleigh nashville \
        memphis new_orleans houston dallas austin san_antonio miami orlando tampa mexico_city guadalajara monterrey \
        oaxaca havana san_juan panama bogota bogotá medellin medellín cali quito lima cusco la_paz santiago \
        valparaiso buenos_aires cordoba mendoza montevideo são_paulo sao_paulo rio rio_de_janeiro brasilia salvador \
        recife",
    )
});

static COMPANIES: LazyLock<HashSet<String>> = LazyLock::new(|| {
    listed(
        "google microsoft amazon apple meta facebook netflix spotify ibm intel nvidia amd oracle sap salesforce adobe \
        siemens bosch philips nokia ericsson samsung sony panasonic toshiba hitachi lg huawei xiaomi lenovo dell hp \
        cisco dropbox slack zoom stripe paypal revolut n26 klarna monzo airbnb uber lyft bolt deliveroo doordash \
        booking zalando asos shopify etsy ebay ikea h&m zara lidl aldi tesco sainsbury's asda waitrose carrefour rewe \
        edeka walmart target costco mcdonald's starbucks subway nestle nestlé danone unilever henkel beiersdorf \
        l'oréal l'oreal procter coca-cola pepsico red_bull heineken carlsberg diageo novartis roche bayer pfizer merck \
        sanofi gsk astrazeneca biontech moderna basf shell bp total totalenergies equinor eon e.on rwe vattenfall \
        orsted ørsted volkswagen bmw audi daimler mercedes-benz porsche renault peugeot stellantis fiat volvo scania \
        tesla ford toyota honda nissan hyundai airbus boeing lufthansa ryanair easyjet klm sas emirates rolls-royce \
        thales safran dhl ups fedex maersk deutsche_bahn sncf general_electric 3m caterpillar abb schneider_electric \
        deloitte kpmg pwc ey accenture mckinsey bcg bain capgemini infosys tcs wipro hsbc barclays lloyds natwest \
        santander bbva ing abn_amro rabobank ubs deutsche_bank commerzbank goldman_sachs jpmorgan morgan_stanley \
        citibank visa mastercard allianz axa generali zurich_insurance vodafone telefonica orange bt o2 t-mobile \
        telekom at&t verizon adidas nike puma decathlon lego mattel disney pixar warner bbc nhs cnn reuters bloomberg \
        oxfam unicef greenpeace nasa esa cern asml arm tsmc dyson gsk jaguar bentley",
    )
});

/// Names of cities and companies that are everyday words too.
static AMBIGUOUS: Words = LazyLock::new(|| {
    "nice bath cork reading split essen bali york cali rio orange target shell apple visa arm total bolt slack zoom \
    meta subway stripe booking sap ups mini mobile victoria panama phoenix bergen lima target ford faro oracle ing \
    total bt esa hp ey sas lg bain warner jaguar"
        .split_whitespace()
        .collect()
});

pub fn is_city(low: &str) -> bool {
    CITIES.contains(low)
}

pub fn is_company(low: &str) -> bool {
    COMPANIES.contains(low)
}

/// Whether a name may as well be an everyday word.
pub fn is_ambiguous(low: &str) -> bool {
    AMBIGUOUS.contains(low)
}
