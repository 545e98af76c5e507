import { Store, type Entry as Item } from "./store";
import api from "./api";

export interface Options extends Base<Item> {
  retries: number;
  onDone(result: Outcome): void;
}

export type Handler = (event: Event) => void;

enum Color {
  Red,
}

export const LIMIT = 10;
let counter = 0;

export const connect = async (url: string): Promise<Client> => {
  const inner = () => counter;
  return new Client(url, inner);
};

export default function main(argv: string[]) {
  api.fetchAll(LIMIT);
}

@sealed
export abstract class Client<T> extends Connection implements Options {
  #secret = 1;
  retries = 3;

  constructor(private url: string, other: () => void) {
    super();
  }

  abstract close(): void;

  static async open(url: string): Promise<Client> {
    return new Client(url, () => {});
  }

  onDone = (result: Outcome) => {
    this.#log(result);
  };

  #log(value: unknown) {}
}

namespace Inner {
  export function helper(): void {}
}

declare module "foo" {
  export function bar(x: number): string;
}

describe("the client", () => {
  it("opens", async () => {
    await Client.open("x");
  });
});
