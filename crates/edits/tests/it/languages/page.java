package org.example.shop;

import java.util.List;
import java.util.stream.Collectors;

public final class Basket<T extends Item & Comparable<T>> implements AutoCloseable {
    private static final int LIMIT = 1_000;
    private final List<T> items = new ArrayList<>();

    @Override
    public String toString() {
        return items.stream().map(item -> item.name() + " x " + item.count()).collect(Collectors.joining(", "));
    }

    public synchronized void add(T item, int count) throws BasketException {
        if (count <= 0 || items.size() + count > LIMIT) {
            throw new BasketException("cannot add  " + count + " of " + item);
        }
        for (int i = 0; i < count; i++) {
            items.add(item);
        }
        Map<String, List<Integer>> counts = new HashMap<>();
        counts.computeIfAbsent(item.name(), key -> new ArrayList<>()).add(count);
    }
}
