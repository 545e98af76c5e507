"use strict";
const path = require("path");
var legacy = 1;

class Cache extends Map {
  static #shared = null;
  handler = (x) => x;

  get size() { return this.items.length; }

  *entries() {
    yield* walk(this.items);
  }
}

function* walk(items) {
  for (const item of items) yield item;
}

exports.createCache = function (options) {
  return new Cache(options);
};

Cache.prototype.reset = function reset() {};

const api = {
  load(name) {
    return path.join(name);
  },
};

module.exports = { Cache, api };
