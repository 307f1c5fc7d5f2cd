// A typed array that grows when items are added.

export class GrowingArray {
  /** @param {Uint32ArrayConstructor | Uint16ArrayConstructor | Uint8ArrayConstructor} kind */
  constructor(kind, room = 1024) {
    this.kind = kind;
    this.length = 0;
    this.items = new kind(room);
  }

  /** @param {Uint32Array} items */
  add(items) {
    const length = this.length + items.length;
    if (length > this.items.length) {
      const more = new this.kind(Math.max(length, this.items.length * 2));
      more.set(this.items.subarray(0, this.length));
      this.items = more;
    }
    this.items.set(items, this.length);
    this.length = length;
  }

  /** @param {number} item */
  push(item) {
    if (this.length === this.items.length) {
      const more = new this.kind(this.length * 2);
      more.set(this.items);
      this.items = more;
    }
    this.items[this.length] = item;
    this.length += 1;
  }
}
