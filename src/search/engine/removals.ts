import { Column } from './columns.ts'
import { Ids, type Uuid } from './ids.ts'
import { Order } from './orders.ts'
import type { Removal } from './rows.ts'
import { Words64 } from './words64.ts'

/** The transaction since which only the owner sees a listing: one per id, the latest counts. */
export class Removals {
  readonly ids = new Ids()
  readonly xids = new Column()
  readonly versions = new Words64()
  /** Latest first. */
  readonly order = new Order(this.ids, at => -this.xids.get(at))
  #size = 0

  add({ id, xid, version }: Removal): void {
    const known = this.ids.find(id)
    const at = known ?? this.#size++
    if (known === undefined) this.ids.set(at, id)
    else this.order.remove(at)
    this.xids.set(at, xid)
    this.versions.set(at, version)
    this.order.add(at)
  }

  xidOf(id: Uuid): number | undefined {
    const at = this.ids.find(id)
    return at === undefined ? undefined : this.xids.get(at)
  }
}
