import Foundation

struct Account: Codable, Equatable {
    let id: UUID
    var balance: Decimal = 0

    mutating func withdraw(_ amount: Decimal, from source: String = "cash") throws -> Decimal {
        guard amount > 0, balance - amount >= 0 else { throw AccountError.tooLittle(amount) }
        balance -= amount
        return balance
    }
}

let totals = accounts.filter { $0.balance > 10 }.map { account in account.balance * 2 }
print("there are  \(totals.count) of \(accounts.count)", terminator: "")
if let first = totals.first, case .some(let value) = lookup[first] { print(value ?? "none") }
