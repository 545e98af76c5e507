//! Words for things that people like or dislike.

use std::sync::LazyLock;

use super::wordlists::{FAMILIES, NATIONALITIES, WordList};

/// Pastimes and other likeable things besides food, drink, music and sports.
static LIKEABLE: WordList = LazyLock::new(|| {
    "music films movies musicals museums museum concerts festivals theatre theater ballet karaoke camping gardening \
    knitting sewing painting drawing reading poetry podcasts audiobooks cooking baking fishing hunting sailing travelling \
    traveling roadtrips games puzzles crosswords sudoku chess scrabble videogames anime manga comics cartoons sitcoms \
    documentaries thrillers romcoms novels shopping dancing salsa tango gym saunas sauna spas beaches mountains forests \
    snow rain winter summer mornings crowds parties clubbing nightclubs zoos aquariums circuses rollercoasters flying \
    driving trains cruises hotels hostels tents picnics barbecues bbq brunch buffets sweets candy desserts dessert \
    pastries doughnuts donuts cookies biscuits crisps popcorn nachos sandwiches wraps stew casseroles sauerkraut \
    pickles capers mustard mayonnaise mayo ketchup vinegar tahini pesto feta mozzarella brie camembert gorgonzola \
    parmesan yoghurt yogurt butter cream eggs bacon ham salami sausages lamb beef pork turkey duck salmon tuna sardines \
    mackerel prawns lobster crab squid octopus mussels clams scallops cauliflower cabbage kale sprouts peas beans \
    chickpeas corn carrots cucumber cucumbers courgette zucchini peppers chillies chilli ginger mint basil parsley dill \
    fennel rhubarb asparagus artichokes pumpkin squash parsnips turnips leeks radishes potatoes yams rice couscous \
    quinoa polenta oats muesli granola cereal toast bagels strawberries raspberries blueberries cherries grapes melon \
    watermelon papaya kiwi figs dates plums peaches apricots pears oranges lemons limes grapefruit coconut pomegranate \
    passionfruit almonds cashews walnuts hazelnuts pistachios honey jam marmite vegemite nutella caramel toffee vanilla \
    cinnamon gardening opera food"
        .split_whitespace()
        .collect()
});

/// Returns true for likeable things: food, drink, music, a pastime.
pub fn is_likeable(word: &str) -> bool {
    matches!(FAMILIES.get(word), Some(&("food" | "drink" | "music" | "sport"))) || LIKEABLE.contains(word)
}

/// Returns true for words that can be part of a likeable thing: *horror* films, *spicy* food.
pub fn describes_likeable(word: &str) -> bool {
    LIKEABLE.contains(word)
        || NATIONALITIES.contains(word)
        || words!(
            "spicy horror board country blue classical video card romantic action black green hot dark \
            white fast street thai computer science true reality pop rock folk electronic live modern raw \
            sour sweet goat brussels long cold war period crime open-water indoor"
        )
        .contains(word)
}
