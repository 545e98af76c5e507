//! Well-known cities and companies, which need no other word to be recognised.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::wordlists::WordList;

/// Splits a list; the words of a name are joined by `_`.
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

/// Given names of people and pets.
static GIVEN: WordList = LazyLock::new(|| {
    "aaron adam adrian agnes ahmed aisha alan albert alex alexander alexandra alfie ali alice alison amanda amelia \
    amir amy ana andrea andreas andrew andy angela anita anja ann anna anne anton antonio arthur asha astrid ava \
    barbara bastian beatrice becky ben benjamin bernd beth betty bianca birgit bob boris brian bruno caitlin callum \
    cameron camilla carla carlos carmen caroline catherine cecilia celine charles charlie charlotte chloe chris \
    christian christina christine christopher claire clara claudia colin connor craig daisy dan dana daniel daniela \
    danny darren dave david deborah denise dennis diana diego dieter dmitri dominic donna doris duncan dylan eddie \
    eduardo edward eleanor elena eli elias elise elizabeth ella ellen ellie elliot elsa emil emilia emily emma eric \
    erik erika ernesto esther ethan eva evan eve evelyn fatima felix fernando fiona florian francesca francis frank \
    franz fred freddie frederik freya gabriel gareth gary gavin gemma george georgia gerald gina giovanni gordon \
    graham greta guido gustav hana hanna hannah hans harriet harry hassan heather heidi helen helena helga henrik \
    henry hugo ian ibrahim ida ines ingrid irene iris isaac isabel isabella isla ivan jack jackie jacob jake jakob \
    james jamie jan jane janet jason javier jay jean jennifer jenny jeremy jess jessica jim joan joanna joe joel \
    johan johanna john johnny jonas jonathan jose josef joseph josh joshua juan judith julia julian julie juliet \
    justin karen karin karl kate katharina kathy katie kay keith kelly ken kevin kim klaus kristina kyle lara lars \
    laura lauren lea leah lee lena leo leon leonie lewis liam lily linda lisa liz lola lorenzo louis louise luca \
    lucas lucia lucy luis luka lukas luke luna lydia maggie magnus malik manuel marco marcus maria marie mario \
    marion marta martha martin martina mary mateo matt matteo matthew matthias maurice max maya megan mehmet melanie \
    melissa mia michael michelle miguel mike mila milan milo miriam mohamed molly monica monika morgan nadia nancy \
    naomi natalie natasha nathan neil nick nico nicola nicole nigel niko nils nina noah noel nora norman oleg oliver \
    olivia omar oscar otto owen pablo pamela patricia patrick paul paula pauline pedro penny peter petra phil philip \
    philipp pia pierre priya rachel rafael ralf raj ralph raul ravi rebecca reza richard rita robert roberta robin \
    roger roland rosa rosie ross roy ruben ruth ryan sabine sabrina sally sam samantha samir samuel sandra sara \
    sarah sasha scott sean sebastian sergio sharon sheila silvia simon simone sofia sonia sophia sophie stefan \
    stefanie stella stephanie stephen steve steven stuart sue susan susanne sven sylvia tamara tania tara taylor ted \
    teresa thea theo theresa thomas tim timo tina tobias toby tom tomas tommy tony tracy uwe valentina vanessa vera \
    veronica victor viktor vincent wendy werner will william yasmin yusuf yvonne zara zoe bello rex nala coco pip \
    simba ziggy bella rocky buddy lulu fido rufus buster tilly poppy misty smokey whiskers bonnie teddy loki gizmo \
    abena abigail adele aditi aidan aileen ailsa aine aisling akira alejandro alessandro alfred alicia alina alma \
    amara amina anand anders andré andrés angus anika anil anouk antoine anya aoife arjun arlo arnold arun ashley \
    audrey ayesha beatriz benedict bernard bethany beverly bjorn brandon brenda bridget brigitte bronwyn bruce caleb \
    carlo carole caspar cassandra cath cathy chiara chidi ciara cindy clement cody consuela conor courtney cristina \
    curtis cynthia dafydd damian danielle daphne darius darnell declan deepak deirdre denis derek desmond dimitri \
    dina dolores dorothy douglas ebony edith edwin eileen eilidh elaine eliza elodie eloise elsie emeka emre enrique \
    esme esteban eugene farid fatma femi fergal fergus filip fleur francisco françois frederick frida geoff geoffrey \
    geraldine gillian giulia gloria gregory guillaume gunther gwen gwyneth haruki hector hiroshi horst hussein idris \
    ilse imani imogen imran ingo iona isaiah jacek jacqueline jamal janice janine jasper jayden jaylen jeff jeffrey \
    jerome jesse jill joachim jodie joseba josephine joyce jude juergen jürgen justine kai kamal karim karina kasia \
    katarzyna kathleen katrin katrina kayla keira keisha kelvin kenji kenneth kieran kirsten krzysztof kurt kwame \
    lakshmi larry latoya laurent layla leanne leila leonor leroy leslie liesel lina lloyd lorna lorraine luisa mabel \
    madeleine magda mahmoud maisie malcolm marcel margaret margarida marianne marina marjorie marlene marsha marwan \
    matilda matthieu maureen maxine mehdi mei meera michal milena millie mohammed moira monique muhammad muriel musa \
    mustafa myra nadine naveen nell nelson neve niamh nikhil nikolai nisha noreen norma nuno olga olivier omari orla \
    pádraig padraig pascal paulo pavel phoebe phyllis piotr pippa polly preeti priscilla rafa rahul raimund ramon \
    rashid raymond regina rhys ricardo rishi rohan ronald rory rosemary rowan roxanne rupert saoirse samira sandeep \
    sanjay saskia seamus sébastien selma serena serwaa seth shaun shirley shreya siddharth sigrid sílvia sinead \
    sinéad siobhan siobhán soren søren stacey stanislav sunita suresh svetlana tammy tanya tariq tatiana tessa \
    thandiwe tiago tomasz toni trevor tristan ulrich ulrike ursula uta valerie vicky vijay vivian vivienne wanjiru \
    wilfred wilhelm winifred wolfgang wyatt xavier yael yannick yolanda yousef yuki yuri yvette zainab zach zachary \
    zeynep zoë zofia"
        .split_whitespace()
        .collect()
});

pub fn is_given_name(low: &str) -> bool {
    GIVEN.contains(low)
}

/// Names of cities and companies that are also everyday words.
static AMBIGUOUS: WordList = LazyLock::new(|| {
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

/// Returns true if a name may be an everyday word.
pub fn is_ambiguous(low: &str) -> bool {
    AMBIGUOUS.contains(low)
}
