using System;
using System.Collections.Generic;

namespace Example.Orders
{
    public record Order(int Id, string Name, decimal Total = 0m);

    public sealed class OrderService : IOrderService
    {
        private readonly Dictionary<int, Order> _orders = new();

        public async Task<Order?> FindAsync(int id, CancellationToken token = default)
        {
            await Task.Delay(100, token).ConfigureAwait(false);
            return _orders.TryGetValue(id, out var order) ? order : null;
        }

        public decimal Sum => _orders.Values.Where(o => o.Total >= 10m && !o.Name.StartsWith("x")).Sum(o => o.Total);

        private void Log(string text) => Console.WriteLine($"{DateTime.Now:HH:mm}  {text ?? "nothing"}");
    }
}
