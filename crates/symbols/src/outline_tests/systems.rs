use super::check;
use crate::Language;

#[test]
fn rust() {
    let source = r#"//! A ledger.
use std::collections::HashMap;
use crate::money::{Amount, parse_amount};

pub const LIMIT: usize = 10;
static mut COUNT: u32 = 0;

/// An account.
#[derive(Debug)]
pub struct Account {
    owner: String,
    entries: Vec<Entry>,
}

pub struct Entry(pub Amount, u64);

pub(crate) enum Side {
    Debit,
    Credit,
}

pub trait Ledger {
    type Key;
    fn post(&mut self, entry: Entry) -> Result<(), LedgerError>;
    fn size(&self) -> usize {
        0
    }
}

impl<T: Clone> Ledger for Book<T> {
    type Key = T;

    fn post(
        &mut self,
        entry: Entry,
    ) -> Result<(), LedgerError>
    where
        T: Send,
    {
        let total = parse_amount("1")?.max(LIMIT);
        self.entries.push_entry(Account::open(total));
        fn helper() {}
        helper();
        assert_eq!(check_sum(1), Side::Debit);
        Ok(())
    }
}

type Index = HashMap<String, Account>;

macro_rules! entry {
    ($a:expr) => { Entry($a, 0) };
}

mod outside;

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic]
    fn posts() {
        entry!(1);
    }

    fn support() {}
}
"#;
    let definitions = [
        "5-5 constant LIMIT | pub const LIMIT: usize = 10;",
        "6-6 variable COUNT | static mut COUNT: u32 = 0;",
        "10-13 struct Account | pub struct Account",
        "15-15 struct Entry | pub struct Entry(pub Amount, u64);",
        "17-20 enum Side | pub(crate) enum Side",
        "22-28 trait Ledger | pub trait Ledger",
        "24-24 method Ledger.post | fn post(&mut self, entry: Entry) -> Result<(), LedgerError>;",
        "25-27 method Ledger.size | fn size(&self) -> usize",
        "30-47 implementation Book | impl<T: Clone> Ledger for Book<T>",
        "31-31 type Book.Key | type Key = T;",
        "33-46 method Book.post | fn post(&mut self, entry: Entry) -> Result<(), LedgerError> where T: Send,",
        "42-42 function post.helper | fn helper()",
        "49-49 type Index | type Index = HashMap<String, Account>;",
        "51-53 macro entry | macro_rules! entry",
        "58-66 module tests | mod tests",
        "61-63 test tests.posts | fn posts()",
        "65-65 function tests.support | fn support()",
    ];
    let references = "Account 41x2, Amount 3x2, Clone 30x1, Debit 44x1, Debug 9x1, Entry 12x4, HashMap 2x2, Key 23x1, LIMIT 40x1, Ledger 30x1, LedgerError 24x2, Result 24x2, Send 38x1, Side 44x1, String 11x2, Vec 12x1, assert_eq 44x1, check_sum 44x1, collections 2x1, entry 62x1, helper 43x1, .max 40x1, money 3x1, open 41x1, parse_amount 3x2, .push_entry 41x1";
    check(Language::Rust, source, &definitions, references);
}

#[test]
fn go() {
    let source = r#"package store

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
"#;
    let definitions = [
        "5-5 constant MaxOpen | const MaxOpen = 4",
        "8-8 constant A | A = iota",
        "9-9 constant B | B",
        "12-12 variable ErrClosed | var ErrClosed = fmt.Errorf(\"closed\")",
        "15-15 variable first | first, second int",
        "15-15 variable second | first, second int",
        "18-20 struct Store | type Store struct",
        "23-23 type Key | Key string",
        "24-26 struct Pair | Pair[K any] struct",
        "29-32 interface Reader | type Reader interface",
        "30-30 method Reader.Read | Read(key Key) ([]byte, error)",
        "34-34 type Alias | type Alias = Store",
        "36-40 function Open | func Open(path string) (*Store, error)",
        "42-44 method Store.Get | func (s *Store) Get(key Key) []byte",
        "46-46 method Pair.Swap | func (p Pair[K]) Swap()",
        "48-50 test TestOpen | func TestOpen(t *testing.T)",
    ];
    let references = ".Errorf 12x1, Key 30x2, MaxOpen 43x1, Open 49x1, Pair 46x1, .Sprint 43x1, Store 34x4, Stringer 31x1, any 24x1, byte 30x2, error 30x2, helper 38x1, int 15x1, lookup 43x1, string 19x3";
    check(Language::Go, source, &definitions, references);
}

#[test]
fn java() {
    let source = r#"package com.example;

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
"#;
    let definitions = [
        "8-30 class Shop | public final class Shop extends Base implements Closeable",
        "9-9 constant Shop.LIMIT | private static final int LIMIT = 10;",
        "12-14 method Shop.Shop | public Shop(List<Item> items)",
        "17-20 method Shop.close | public void close() throws IOException",
        "23-23 test Shop.closes | void closes()",
        "25-25 enum Shop.State | enum State",
        "27-29 interface Shop.Visitor | interface Visitor<T>",
        "28-28 method Visitor.visit | T visit(Shop shop);",
        "32-36 class Point | record Point(int x, int y)",
        "33-35 method Point.Point | Point",
        "38-38 interface Marker | @interface Marker",
    ];
    let references = "Base 8x1, Closeable 8x1, Entity 6x1, IOException 17x1, Item 10x3, LIMIT 18x1, List 3x3, Override 16x1, Registry 18x1, Shop 28x1, Table 7x1, Test 22x1, check 34x1, .dispose 19x1, .forEach 19x1, .getInstance 18x1, .release 18x1";
    check(Language::Java, source, &definitions, references);
}

#[test]
fn c() {
    let source = r#"#include <stdio.h>
#ifndef POINT_H
#define POINT_H
#define MAX_POINTS 16
#define SQUARE(x) ((x) * (x))

typedef unsigned int uint;
typedef int (*compare_fn)(const void *, const void *);

struct point {
    int x;
};

typedef struct {
    struct point *items;
} list_t;

enum color { RED, GREEN };

static int counter = 0;
const char *names[] = {"a", "b"};

int add_point(list_t *list,
              struct point p);

static char *name_of(enum color c)
{
    return names[c];
}

int main(int argc, char **argv) {
    printf("%d", SQUARE(add_point(NULL, 0)));
    return MAX_POINTS;
}
#endif
"#;
    let definitions = [
        "4-4 macro MAX_POINTS | #define MAX_POINTS 16",
        "5-5 macro SQUARE | #define SQUARE(x) ((x) * (x))",
        "7-7 type uint | typedef unsigned int uint;",
        "8-8 type compare_fn | typedef int (*compare_fn)(const void *, const void *);",
        "10-12 struct point | struct point",
        "14-16 struct list_t | typedef struct … list_t",
        "18-18 enum color | enum color",
        "20-20 variable counter | static int counter = 0;",
        "21-21 variable names | const char *names[] = {\"a\", \"b\"};",
        "23-24 function add_point | int add_point(list_t *list, struct point p);",
        "26-29 function name_of | static char *name_of(enum color c)",
        "31-34 function main | int main(int argc, char **argv)",
    ];
    let references = "MAX_POINTS 33x1, POINT_H 2x2, SQUARE 32x1, add_point 32x1, color 26x1, list_t 23x1, point 15x2, printf 32x1";
    check(Language::C, source, &definitions, references);
}

#[test]
fn cpp() {
    let source = r#"#include "shape.hpp"

namespace geo {

class Shape : public Base {
public:
    Shape(int sides);
    virtual ~Shape() {}
    virtual double area() const = 0;
    int sides() const { return sides_; }
    Shape& operator=(const Shape& other);
private:
    int sides_;
};

template <typename T>
struct Box {
    T value;
    T* get() { return &value; }
};

using Shapes = std::vector<Shape>;

enum class Mode { Fast, Slow };

double Shape::area() const {
    return compute_area(sides_);
}

template <typename T>
T largest(const std::vector<T>& items) {
    return *std::max_element(items.begin(), items.end());
}

}  // namespace geo

geo::Shape::Shape(int sides) : sides_(sides) {}

std::ostream& operator<<(std::ostream& out, const geo::Shape& shape) {
    return out << shape.area();
}
"#;
    let definitions = [
        "3-35 module geo | namespace geo",
        "5-14 class geo.Shape | class Shape : public Base",
        "7-7 method Shape.Shape | Shape(int sides);",
        "8-8 method Shape.~Shape | virtual ~Shape()",
        "9-9 method Shape.area | virtual double area() const = 0;",
        "10-10 method Shape.sides | int sides() const",
        "11-11 method Shape.operator= | Shape& operator=(const Shape& other);",
        "17-20 struct geo.Box | struct Box",
        "19-19 method Box.get | T* get()",
        "22-22 type geo.Shapes | using Shapes = std::vector<Shape>;",
        "24-24 enum geo.Mode | enum class Mode",
        "26-28 method Shape.area | double Shape::area() const",
        "31-33 function geo.largest | T largest(const std::vector<T>& items)",
        "37-37 method Shape.Shape | geo::Shape::Shape(int sides) : sides_(sides)",
        "39-41 function operator<< | std::ostream& operator<<(std::ostream& out, const geo::Shape& shape)",
    ];
    let references = "Base 5x1, Shape 8x7, .area 40x1, .begin 32x1, compute_area 27x1, .end 32x1, max_element 32x1, ostream 39x2, vector 22x2";
    check(Language::Cpp, source, &definitions, references);
}
