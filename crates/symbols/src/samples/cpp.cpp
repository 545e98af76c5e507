#include "shape.hpp"

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
