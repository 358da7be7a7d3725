import { describe, expect, it } from 'vitest'
import { pointIn } from '../../src/lib/map-link.ts'

const POINT = { lat: 20.6911, lng: -103.3782 }

describe('a point copied from a map service', () => {
  it.each([
    '20.6911, -103.3782',
    '(20.6911,-103.3782)',
    '20.6911 -103.3782',
    'geo:20.6911,-103.3782?z=17',
    'https://www.google.com/maps/@20.6911,-103.3782,17z',
    'https://www.google.com/maps/place/Casa/@19.0000,-99.0000,17z/data=!3m1!4b1!4m6!8m2!3d20.6911!4d-103.3782',
    'https://www.google.com/maps/search/20.6911,+-103.3782?entry=tts',
    'https://maps.google.com/?q=20.6911,-103.3782',
    'https://www.google.com/maps/search/?api=1&query=20.6911%2C-103.3782',
    'https://maps.apple.com/?ll=20.6911,-103.3782&q=Casa',
    'https://maps.apple.com/place?coordinate=20.6911,-103.3782&name=Casa',
    'https://www.openstreetmap.org/?mlat=20.6911&mlon=-103.3782#map=17/19.0/-99.0',
    'https://www.openstreetmap.org/#map=17/20.6911/-103.3782',
    'https://waze.com/ul?ll=20.6911,-103.3782&navigate=yes',
    'https://www.waze.com/live-map/directions?to=ll.20.6911%2C-103.3782',
    'https://osmand.net/map?pin=20.6911,-103.3782#15/19.0/-99.0',
    '20.6911° N, 103.3782° W',
    '20.6911N 103.3782O',
  ])('is read from %s', text => {
    expect(pointIn(text)).toEqual(POINT)
  })

  it('is read in degrees, minutes and seconds', () => {
    expect(pointIn(`20°41'28.0"N 103°22'41.5"W`)).toEqual({ lat: 20.691111, lng: -103.378194 })
    expect(pointIn(`20°41'28.0"N 103°22'41.5"O`)?.lng).toBe(-103.378194)
  })

  it.each([
    '',
    '20.6911',
    '20,691',
    '1 250 000',
    'Calle 5, número 12',
    'https://maps.app.goo.gl/AbCdEf',
    'https://waze.com/ul/h9ewmkj9u6',
    'https://example.com/',
    `https://www.google.com/maps/dir/${'a/'.repeat(5_000)}`,
  ])('is not found in %s', text => {
    expect(pointIn(text)).toBeUndefined()
  })
})
