package org.example

data class Point(val x: Int, val y: Int = 0) {
    operator fun plus(other: Point): Point = Point(x + other.x, y + other.y)
}

fun describe(value: Any?): String = when (value) {
    null -> "nothing"
    is Int -> "a number: ${value + 1}"
    !in listOf("a", "b") -> "something  else"
    else -> value?.toString() ?: "?"
}

suspend fun load(ids: List<Long>) {
    val found = ids.filter { it > 0 }.map { id -> repository.find(id)!! }
    found.forEachIndexed { index, item -> println("$index: ${item.name}") }
}
