package com.example;

import java.util.List;

/** A shop. */
@Entity
@Table(name = "shops")
public final class Shop extends Base implements Closeable {
    private static final int LIMIT = 10;
    private final List<Item> items;

    public Shop(List<Item> items) {
        this.items = items;
    }

    @Override
    public void close() throws IOException {
        Registry.getInstance().release(this, LIMIT);
        items.forEach(Item::dispose);
    }

    @Test
    void closes() {}

    enum State { OPEN, CLOSED }

    interface Visitor<T> {
        T visit(Shop shop);
    }
}

record Point(int x, int y) {
    Point {
        check(x);
    }
}

@interface Marker {}
