/// Letters that pass for other letters.
///
/// A compact table in the spirit of Unicode Technical Standard 39: Cyrillic, Greek, Armenian, Cherokee and
/// small-capital letters that look like Latin ones, digits and bars that look like letters, and two pairs that look like
/// one letter. Compatibility forms (full width, mathematical, enclosed, ligatures) need no entry: normalisation folds
/// them first. It folds more than it must: the price is an id shown beside a name that needed none, never a name that
/// passes for another.
enum LookAlikes {
    /// Applied before case folding, since capitals and small letters look like different letters.
    static func latin(_ scalar: Unicode.Scalar) -> Unicode.Scalar { table[scalar] ?? scalar }

    /// What is left of lower-case Latin text once letters that pass for each other are one.
    static func merged(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        result.reserveCapacity(scalars.count)
        for scalar in scalars {
            let letter = merges[scalar] ?? scalar
            switch (result.last, letter) {
            case ("r", "n"): result[result.count - 1] = "m"
            case ("v", "v"): result[result.count - 1] = "w"
            default: result.append(letter)
            }
        }
        return result
    }

    /// By pairs: what it looks like, then all that look like it.
    static let groups: [(Unicode.Scalar, String)] = [
        ("A", "АΑᎪꓮ"), ("B", "ВΒᏴꓐ"), ("C", "СᏟϹꓚ"), ("D", "ᎠꓓԀ"), ("E", "ЕΕᎬꓰ"), ("F", "ҒϜꓝ"), ("G", "ᏀԌꓖ"),
        ("H", "НΗᎻҺꓧ"), ("I", "ІΙӀꓲ"), ("J", "ЈᎫꓙ"), ("K", "КΚᏦꓗ"), ("L", "ᏞԼꓡ"), ("M", "МΜᎷꓟ"), ("N", "Νꓠ"),
        ("O", "ОΟՕꓳ"), ("P", "РΡᏢꓑ"), ("Q", "Ԛ"), ("R", "ᎡᏒꓣ"), ("S", "ЅᏚՏꓢ"), ("T", "ТΤᎢꓔ"), ("U", "Սꓴ"),
        ("V", "ѴᏙꓦ"), ("W", "ԜᎳꓪ"), ("X", "ХΧꓫ"), ("Y", "УΥҮꓬ"), ("Z", "ΖᏃꓜ"),
        ("a", "аαɑᴀ"), ("b", "вьβßʙЬ"), ("c", "сϲᴄ"), ("d", "ԁɗđᴅ"), ("e", "еεєᴇ"), ("f", "ƒғ"), ("g", "ɡɢց"),
        ("h", "һнհħʜ"), ("i", "іιıɩɪ"), ("j", "јϳᴊ"), ("k", "кκᴋ"), ("l", "ӏłʟǀ"), ("m", "мᴍ"), ("n", "ηոпɴ"),
        ("o", "оοσςօøᴏ"), ("p", "рρᴘ"), ("q", "ԛգ"), ("r", "гʀ"), ("s", "ѕꜱ"), ("t", "тτŧᴛ"), ("u", "υսᴜ"),
        ("v", "νѵᴠ"), ("w", "ԝωɯᴡ"), ("x", "хχ"), ("y", "уүγʏ"), ("z", "ᴢ"),
        ("3", "ЗзӠ"), ("6", "б"), ("'", "’‘ʼ`´ʹ"), ("-", "‐‑‒–—−"),
    ]

    private static let table: [Unicode.Scalar: Unicode.Scalar] = Dictionary(
        groups.flatMap { letter, others in others.unicodeScalars.map { ($0, letter) } },
        uniquingKeysWith: { first, _ in first })

    private static let merges: [Unicode.Scalar: Unicode.Scalar] = ["0": "o", "1": "l", "i": "l", "|": "l", "!": "l"]
}
