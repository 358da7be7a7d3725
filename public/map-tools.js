// For the map of results: marks that do not touch, cards, drawing an area, and the switch of a phone.
/* global L, INK */

/** The view is kept in the part of the address that the server does not see. */
const VIEW = /^#vista=(-?[\d.]+),(-?[\d.]+),([\d.]+)$/

/** Half the size of a mark on the screen, with a margin: none covers another. */
const halfOf = ({ count }) => (count > 1 ? { x: 27, y: 27 } : { x: 46, y: 16 })

/** Merges marks that would touch on the screen, the largest first; merged ones keep their listings. */
function apart(map, found) {
  const placed = []
  const touching = mark =>
    placed.findIndex(other => {
      const [one, two] = [halfOf(mark), halfOf(other)]
      return (
        Math.abs(mark.at.x - other.at.x) < one.x + two.x && Math.abs(mark.at.y - other.at.y) < one.y + two.y
      )
    })
  for (let mark of [...found].sort((a, b) => b.count - a.count)) {
    mark.at = map.latLngToLayerPoint([mark.lat, mark.lng])
    // A merged mark is larger and may touch another: merged until none does.
    for (let i = touching(mark); i >= 0; i = touching(mark)) {
      const [other] = placed.splice(i, 1)
      const count = mark.count + other.count
      const between = name => (mark[name] * mark.count + other[name] * other.count) / count
      mark = {
        lat: between('lat'),
        lng: between('lng'),
        count,
        listings: [...other.listings, ...mark.listings],
      }
      mark.at = map.latLngToLayerPoint([mark.lat, mark.lng])
    }
    placed.push(mark)
  }
  return placed
}

const element = (tag, className, text = '') => {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}

function cardOf({ slug, price, title, photo }, address) {
  const link = element('a', 'map-card')
  link.href = address + slug
  if (photo) {
    const picture = element('img', '')
    Object.assign(picture, { src: photo, alt: '', width: 240, height: 150, referrerPolicy: 'no-referrer' })
    picture.addEventListener('error', () => picture.remove())
    link.append(picture)
  }
  link.append(element('strong', '', price), element('span', '', title))
  return link
}

/** Names of cities under a mark. */
function hideCovered(box) {
  const rectsOf = selector =>
    [...box.querySelectorAll(selector)].map(one => [one, one.getBoundingClientRect()])
  const marks = rectsOf('.map-cluster, .map-price span')
  for (const [name, a] of rectsOf('.map-city span'))
    name.hidden = marks.some(
      ([, b]) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
    )
}

const MOST_POINTS = 80

/** Draws an area by finger or mouse; by keyboard the visible area is searched instead. */
function addPencil(map, box, { words, done }) {
  const button = element('button', 'btn btn-sm map-draw', words.draw)
  button.type = 'button'
  button.setAttribute('aria-pressed', 'false')
  const hint = element('p', 'map-hint')
  hint.setAttribute('role', 'status')
  box.append(button, hint)
  let line
  const turn = on => {
    hint.textContent = on ? words.howToDraw : ''
    button.setAttribute('aria-pressed', String(on))
    box.classList.toggle('is-drawing', on)
    map.dragging[on ? 'disable' : 'enable']()
    map.touchZoom[on ? 'disable' : 'enable']()
  }
  const isOn = () => button.getAttribute('aria-pressed') === 'true'
  button.addEventListener('click', () => turn(!isOn()))
  const pointOf = event => map.containerPointToLatLng(map.mouseEventToContainerPoint(event))
  box.addEventListener('pointerdown', event => {
    if (!isOn() || event.target.closest('button, .leaflet-control')) return
    event.preventDefault()
    box.setPointerCapture(event.pointerId)
    line = L.polyline([pointOf(event)], { color: INK, weight: 3, interactive: false }).addTo(map)
  })
  box.addEventListener('pointermove', event => line?.addLatLng(pointOf(event)))
  const end = event => {
    if (!line) return
    const drawn = line.getLatLngs()
    line.remove()
    line = undefined
    const every = Math.max(1, Math.ceil(drawn.length / MOST_POINTS))
    const ring = drawn.filter((_, i) => i % every === 0)
    const { x, y } = map.getSize()
    const bounds = L.latLngBounds(drawn)
    const size = map
      .latLngToContainerPoint(bounds.getSouthEast())
      .subtract(map.latLngToContainerPoint(bounds.getNorthWest()))
    // A tap is not an area: the hint stays, to be tried again.
    if (event.type !== 'pointerup' || ring.length < 3 || size.x <= x / 40 || size.y <= y / 40) return
    turn(false)
    done(ring.map(({ lat, lng }) => `${lat.toFixed(5)},${lng.toFixed(5)}`).join(';'))
  }
  box.addEventListener('pointerup', end)
  box.addEventListener('pointercancel', end)
}

/** On a phone the map covers the list, which stays where it was. */
function addSwitch(map, box, words) {
  const page = box.closest('.results')
  const list = page?.querySelector('.results-list')
  if (!list) return
  const button = element('button', 'btn btn-primary map-switch', words.map)
  button.type = 'button'
  const turn = on => {
    page.classList.toggle('is-map', on)
    list.inert = on
    button.textContent = on ? words.list : words.map
    map.invalidateSize()
  }
  button.addEventListener('click', () => turn(!page.classList.contains('is-map')))
  addEventListener('keydown', event => {
    if (event.key === 'Escape' && page.classList.contains('is-map')) turn(false)
  })
  page.append(button)
  if (VIEW.test(location.hash) && matchMedia('(max-width: 63.99rem)').matches) turn(true)
}

window.mapTools = { VIEW, apart, element, cardOf, hideCovered, addPencil, addSwitch }
