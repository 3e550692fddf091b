import Models

@MainActor
public protocol LoginPresentationLogic: AnyObject {
    func presentStart(response: Login.Start.Response)
    func presentAccount(response: Login.Account.Response)
}

@MainActor
public protocol LoginDisplayLogic: AnyObject {
    func displayStart(viewModel: Login.Start.ViewModel)
    func displayAccount(viewModel: Login.Account.ViewModel)
}
