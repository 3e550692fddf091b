import Scenes

/// Launch and Welcome: a title and what to do next.
enum WelcomeRenderer {
    static func launchLines(width: Int) -> [SafeLine] {
        ["Words"].map { (line: SafeLine) in line.cut(to: width) } + NoticeRenderer.hint("starting", width: width)
    }

    static func lines(of viewModel: Welcome.ViewModel, width: Int) -> [SafeLine] {
        var lines = [Sanitiser.line(viewModel.title).cut(to: width)]
        if let notice = viewModel.notice {
            lines += NoticeRenderer.lines(of: Journal.Notice(text: notice, isError: false), width: width)
        }
        return lines + NoticeRenderer.hint("login to sign in, signup to make an account", width: width)
    }
}
