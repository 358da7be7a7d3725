export interface Quartiles {
  p25: number
  median: number
  p75: number
}

export const toCents = (amount: number): number => Math.round(amount * 100) / 100

/** With the values between two neighbors in proportion, as `percentile_cont` of PostgreSQL; to the cent. Reorders them. */
export function quartiles(values: Float64Array): Quartiles {
  let settled = 0
  const at = (share: number) => {
    const place = share * (values.length - 1)
    const index = Math.floor(place)
    selectFrom(values, settled, index)
    settled = index
    const low = values[index] as number
    let high = index === place ? low : Number.POSITIVE_INFINITY
    if (index !== place)
      for (let i = index + 1; i < values.length; i++) high = Math.min(high, values[i] as number)
    return toCents(low + (high - low) * (place % 1))
  }
  return { p25: at(0.25), median: at(0.5), p75: at(0.75) }
}

/** Reorders the values from `low` on until the one at `index` is where sorting would put it: Hoare's selection. */
function selectFrom(values: Float64Array, from: number, index: number): void {
  let [low, high] = [from, values.length - 1]
  while (low < high) {
    const pivot = values[low + Math.floor(Math.random() * (high - low + 1))] as number
    let [left, right] = [low, high]
    while (left <= right) {
      while ((values[left] as number) < pivot) left++
      while ((values[right] as number) > pivot) right--
      if (left > right) break
      const swapped = values[left] as number
      values[left++] = values[right] as number
      values[right--] = swapped
    }
    if (index <= right) high = right
    else if (index >= left) low = left
    else return
  }
}
