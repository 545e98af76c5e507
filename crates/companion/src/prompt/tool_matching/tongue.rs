//! Recognises the purpose of a message in a language other than English from everyday words: enough to tell a question
//! from news and from a greeting. Matching a tool is left to the tools' own phrases.

use text::terms;

use super::message_words::{has, times};

/// Everyday English words, in addition to those that `terms` leaves out.
const ENGLISH: &str = "please tell show give make explain hello hi hey thanks thank good great yes okay ok much many one two \
    like want need know go come see say find look open read write play long far big small new old first last next best \
    today tomorrow yesterday now time day week name weather thing things people world work really still mean use there";
/// Everyday words of German, French, Spanish, Italian, Portuguese and Dutch. Some of them are English words as well.
const OTHERS: &str = "der die das den dem des ein eine einen einem einer und oder aber ist sind war bin bist hat habe hast \
    haben wird werden kann kannst können gibt kostet geht wie was wer wo wann warum wieso welche welcher welches wieviel \
    viel mir mich dir dich du ich er sie es wir ihr mein meine dein deine in im am an auf für mit nach von vom zu zum zur \
    bei nicht kein keine noch auch heute morgen gestern jetzt bitte los \
    le la les un une du de et ou est sont suis as ont quel quelle quels quelles que qui quoi où quand comment pourquoi \
    combien je tu il elle nous vous ils mon ma mes ton ta tes me moi toi ce cette dans sur pour avec pas plus au aux en \
    demain aujourdhui hier maintenant fait peux cest quest \
    el los las son está estan hay qué quién cuál cuáles cómo cuándo dónde cuánto cuánta cuántos por para con del al mi su \
    te se lo hoy mañana ayer ahora hace puedes \
    lo gli che chi cosa come quando dove quanto quanti perché per della ti si io ho hai ha sei oggi domani ieri adesso puoi \
    fa non \
    os um uma são quem qual como onde do da em na eu você hoje amanhã ontem agora pode não \
    het een zijn ben hoe wat wie waar wanneer waarom hoeveel ik jij hij zij wij mijn jouw op aan met voor naar niet geen ook \
    vandaag gisteren nu kun kan";
/// First words of sentences in those languages that only tell something or express thanks.
const TELLING: &str = "ich wir mein meine er sie es das der die unser je jai nous mon ma mes il elle le la les \
    yo mi mis el los las nosotros io noi mio mia lo gli eu meu minha nós o a os as ik wij mijn het de hij zij \
    danke dank merci gracias grazie obrigado obrigada bedankt dankjewel";
/// Phrases in those languages that express a wish.
const WANTING: &str = "bitte,kannst du,könntest du,können sie,könnten sie,zeig,zeige,sag mir,ich möchte,ich will,ich brauche,\
    erinnere mich,sil te plaît,sil te plait,sil vous plaît,sil vous plait,peux tu,pouvez vous,pourrais tu,montre moi,\
    dis moi,je veux,je voudrais,jai besoin,por favor,puedes,podrías,muéstrame,dime,quiero,necesito,per favore,puoi,\
    potresti,mostrami,dimmi,voglio,vorrei,ho bisogno,podes,pode,poderia,mostra me,mostre,diz me,diga,quero,queria,\
    preciso,alsjeblieft,alstublieft,kun je,kan je,kunt u,laat zien,zeg me,ik wil";
/// Greetings in those languages, including those that are questions.
const GREETING: &str = "gehts,geht es dir,geht es ihnen,alles klar,alles gut,wer bist du,wie heißt du,und du,und dir,ça va,\
    ca va,comment vas tu,comment allez vous,qui es tu,comment tappelles tu,et toi,cómo estás,como estas,qué tal,que tal,\
    quién eres,cómo te llamas,y tú,come stai,come va,chi sei,come ti chiami,e tu,tudo bem,como vai,como está,como estás,\
    quem é você,quem és tu,e você,e aí,hoe gaat,wie ben je,wie ben jij,hoe heet je,en jij";
/// The number of words from which the language of a message can be told.
const ENOUGH: usize = 3;

fn has_phrase(list: &str, words: &[String]) -> bool {
    list.split(',').any(|phrase| times(words, phrase) > 0)
}

/// Returns true if a message may be English. In doubt it is.
pub fn is_english(words: &[String]) -> bool {
    let spoken: Vec<&str> =
        words.iter().map(String::as_str).filter(|word| word.chars().any(char::is_alphabetic)).collect();
    let is_latin = |word: &&str| word.contains(|letter: char| letter.is_ascii_alphabetic());
    if !spoken.is_empty() && !spoken.iter().any(is_latin) {
        return false;
    }
    // Single letters are words in too many languages.
    let telling: Vec<&str> = spoken.iter().copied().filter(|word| word.chars().count() > 1).collect();
    let english = telling.iter().filter(|word| has(ENGLISH, word) || terms(word).is_empty()).count();
    let others = telling.iter().filter(|word| has(OTHERS, word)).count();
    others <= english && (english > 0 || spoken.len() < ENOUGH)
}

/// Returns true if a sentence with this first word only tells something.
pub fn tells(first: &str) -> bool {
    has(TELLING, first)
}

/// Returns true if the user wants something done.
pub fn wants(words: &[String]) -> bool {
    words.len() >= ENOUGH && has_phrase(WANTING, words)
}

/// Returns true if a message is a greeting, even in the form of a question.
pub fn greets(words: &[String]) -> bool {
    has_phrase(GREETING, words)
}

#[cfg(test)]
mod tests {
    use super::super::message_words::words;
    use super::*;

    #[test]
    fn english_is_told_from_others() {
        for text in [
            "",
            "?",
            "2 + 2 = ?",
            "Hello",
            "What was in the news?",
            "Was it in Kiel?",
            "Los Angeles weather",
            "Which programming language uses braces?",
            "Weather Porto",
            "When did Einstein die?",
            "Capital of Mongolia?",
            "Tell me a joke",
            "Explain photosynthesis please",
        ] {
            assert!(is_english(&words(text)), "{text}");
        }
        for text in [
            "Wie ist das Wetter in Kiel?",
            "Was ist los in Kiel?",
            "Quelle est la capitale du Pérou ?",
            "¿Quién ganó el partido?",
            "Chi ha vinto la partita?",
            "Quem ganhou o jogo?",
            "Wie heeft de wedstrijd gewonnen?",
            "Jaka jest pogoda w Kielcach?",
            "Hur är vädret i Kiel?",
            "今日の天気は？",
            "Какая погода в Киеве?",
        ] {
            assert!(!is_english(&words(text)), "{text}");
        }
    }
}
