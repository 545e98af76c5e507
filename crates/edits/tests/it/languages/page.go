package store

import (
	"context"
	"fmt"
	"sync"
)

// Cache keeps what was read, for as long as there is room.
type Cache struct {
	mu    sync.Mutex
	items map[string]*entry
	limit int `json:"limit,omitempty"`
}

func (c *Cache) Get(ctx context.Context, key string) (value []byte, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found, ok := c.items[key]; ok && !found.isOld() {
		return found.value, nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	default:
	}
	for name, item := range c.items {
		if len(c.items) > c.limit*2 {
			delete(c.items, name)
		}
		fmt.Printf("%s  is %d bytes old: %v\n", name, len(item.value), item)
	}
	ch := make(chan int, 10)
	go func() { ch <- 1 }()
	return nil, fmt.Errorf("no such key: %q", key)
}
