package store

import "fmt"

const MaxOpen = 4

const (
	A = iota
	B
)

var ErrClosed = fmt.Errorf("closed")

var (
	first, second int
)

type Store struct {
	path string
}

type (
	Key  string
	Pair[K any] struct {
		Left K
	}
)

type Reader interface {
	Read(key Key) ([]byte, error)
	fmt.Stringer
}

type Alias = Store

func Open(path string) (*Store, error) {
	helper := func() {}
	helper()
	return &Store{path: path}, nil
}

func (s *Store) Get(key Key) []byte {
	return lookup(s.path, MaxOpen, fmt.Sprint(key))
}

func (p Pair[K]) Swap() {}

func TestOpen(t *testing.T) {
	Open("x")
}
