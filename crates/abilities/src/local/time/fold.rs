/// Removes case, accents and punctuation from a name, so that `São Paulo`, `sao paulo` and `Sao_Paulo` are equal.
pub fn folded(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for letter in name.trim().to_lowercase().chars() {
        match letter {
            'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' | 'ā' => plain.push('a'),
            'é' | 'è' | 'ê' | 'ë' | 'ē' => plain.push('e'),
            'í' | 'ì' | 'î' | 'ï' | 'ī' => plain.push('i'),
            'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' | 'ō' => plain.push('o'),
            'ú' | 'ù' | 'û' | 'ü' | 'ū' => plain.push('u'),
            'ç' | 'ć' | 'č' => plain.push('c'),
            'ñ' | 'ń' => plain.push('n'),
            'ł' => plain.push('l'),
            'š' | 'ś' => plain.push('s'),
            'ž' | 'ż' | 'ź' => plain.push('z'),
            'ß' => plain.push_str("ss"),
            '_' | '-' | ' ' if plain.ends_with(' ') => {}
            '_' | '-' => plain.push(' '),
            '.' | '\'' | '\u{2019}' => {}
            other => plain.push(other),
        }
    }
    plain
}
