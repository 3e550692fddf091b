import Models
import Scenes

/// Login and Signup: a title, why one is here, what to type.
enum FormRenderer {
    static func lines(title: String, notice: RemoteText?, command: String, width: Int) -> [SafeLine] {
        var lines = [Sanitiser.line(title).cut(to: width)]
        if let notice {
            lines += NoticeRenderer.lines(of: Journal.Notice(text: notice, isError: false), width: width)
        }
        let usage = CommandCatalogue[command]?.usage ?? command
        return lines + NoticeRenderer.hint("\(usage), or cancel", width: width)
    }
}

/// The sign-in scene.
enum LoginRenderer {
    static func lines(of viewModel: Login.Start.ViewModel, width: Int) -> [SafeLine] {
        FormRenderer.lines(title: viewModel.title, notice: viewModel.notice, command: "login", width: width)
    }

    /// What went wrong or goes on, as notices: those of the fields first.
    static func notices(of viewModel: Login.Account.ViewModel) -> [Journal.Notice] {
        viewModel.fieldErrors.map { Journal.Notice(text: $0.text, isError: true) }
            + [viewModel.generalError].compactMap { $0 }.map { Journal.Notice(text: $0, isError: true) }
            + [viewModel.status].compactMap { $0 }.map { Journal.Notice(text: $0, isError: false) }
    }
}

/// The sign-up scene.
enum SignupRenderer {
    static func lines(width: Int) -> [SafeLine] {
        FormRenderer.lines(title: Signup.title, notice: nil, command: "signup", width: width)
    }

    /// What went wrong or goes on, as notices: those of the fields first.
    static func notices(of viewModel: Signup.Account.ViewModel) -> [Journal.Notice] {
        viewModel.fieldErrors.map { Journal.Notice(text: $0.text, isError: true) }
            + [viewModel.generalError].compactMap { $0 }.map { Journal.Notice(text: $0, isError: true) }
            + [viewModel.status].compactMap { $0 }.map { Journal.Notice(text: $0, isError: false) }
    }
}
