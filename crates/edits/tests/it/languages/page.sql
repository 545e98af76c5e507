CREATE TABLE IF NOT EXISTS orders (
    id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    customer_id BIGINT NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
    total NUMERIC(10, 2) DEFAULT 0.00 CHECK (total >= 0),
    note TEXT -- anything
);

SELECT c.name, COUNT(*) AS orders, SUM(o.total) * 1.2 AS gross
FROM customers c
LEFT JOIN orders o ON o.customer_id = c.id AND o.total > 10
WHERE c.name LIKE 'A%  B' OR c.country IN ('PT', 'DE')
GROUP BY c.name
HAVING COUNT(*) > 3
ORDER BY gross DESC, c.name;

UPDATE orders SET total = total - 5, note = 'less' || note WHERE id = 7;
