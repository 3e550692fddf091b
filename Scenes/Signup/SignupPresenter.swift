import Models

@MainActor
public protocol SignupPresentationLogic: AnyObject {
    func presentAccount(response: Signup.Account.Response)
}

@MainActor
public protocol SignupDisplayLogic: AnyObject {
    func displayAccount(viewModel: Signup.Account.ViewModel)
}
