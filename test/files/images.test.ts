import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { redraw } from '../../src/files/images.ts'

/** A few kilobytes that decode to a hundred megabytes. */
const largePicture = () =>
  sharp({ create: { width: 6_000, height: 6_000, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()

describe('pictures uploaded at the same time', () => {
  it('by several accounts are processed two at a time, and invalid files hold up no one', async () => {
    const picture = await largePicture()
    const drawing = { maxSide: 400 }
    const broken = picture.subarray(0, picture.length / 2)
    let isDone = false
    let most = 0
    const watching = (async () => {
      while (!isDone) {
        const { queue, process } = sharp.counters()
        most = Math.max(most, queue + process)
        await sleep(1)
      }
    })()
    const drawn = await Promise.all(
      [picture, broken, picture, picture, broken, picture].map((bytes, i) =>
        redraw(bytes, drawing, `agent ${i}`),
      ),
    )
    isDone = true
    await watching
    expect(drawn.map(one => one?.toString('latin1', 8, 12))).toEqual([
      'WEBP',
      undefined,
      'WEBP',
      'WEBP',
      undefined,
      'WEBP',
    ])
    expect(most).toBe(2)
    // All turns were returned: the next two do not wait.
    expect(await Promise.all([redraw(picture, drawing), redraw(picture, drawing)])).not.toContain(undefined)
  })
})
