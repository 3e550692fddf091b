import CTerminal

/// Runs `body` with the thread's locale set; with the locale as it is where the machine does not have that one.
func withLocale(_ name: String, _ body: () -> Void) {
    guard let locale = newlocale(LC_CTYPE_MASK | LC_NUMERIC_MASK | LC_COLLATE_MASK, name, nil) else { return body() }
    let previous = uselocale(locale)
    body()
    uselocale(previous)
    freelocale(locale)
}
