/* global L */
// The map on a listing's form: the exact point, and the cell that others see. Reads and writes the lat and lng fields.

const CELL_MICRO = 3000
const MEXICO = [
  [14.4, -117.2],
  [32.8, -86.6],
]
const CLOSE = 15

const box = document.querySelector('[data-pin]')
const field = name => document.querySelector(`#listing-form [name=${name}]`)

/** The lines between cells, when zoomed in enough to see them. */
function drawGrid(map) {
  const grid = L.layerGroup().addTo(map)
  const style = { className: 'stroke-base-content/25', weight: 1, interactive: false }
  const draw = () => {
    grid.clearLayers()
    if (map.getZoom() < CLOSE - 1) return
    const bounds = map.getBounds()
    const step = CELL_MICRO / 1e6
    const lines = (from, to) => {
      const first = Math.ceil(from / step)
      return Array.from({ length: Math.floor(to / step) - first + 1 }, (_, i) => (first + i) * step)
    }
    const [south, north, west, east] = [
      bounds.getSouth(),
      bounds.getNorth(),
      bounds.getWest(),
      bounds.getEast(),
    ]
    for (const lat of lines(south, north))
      L.polyline(
        [
          [lat, west],
          [lat, east],
        ],
        style,
      ).addTo(grid)
    for (const lng of lines(west, east))
      L.polyline(
        [
          [south, lng],
          [north, lng],
        ],
        style,
      ).addTo(grid)
  }
  map.on('moveend', draw)
  draw()
}

const folded = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

function cellOf({ lat, lng }) {
  const corner = degrees => (Math.floor(Math.round(degrees * 1e6) / CELL_MICRO) * CELL_MICRO) / 1e6
  const [south, west] = [corner(lat), corner(lng)]
  return [
    [south, west],
    [south + CELL_MICRO / 1e6, west + CELL_MICRO / 1e6],
  ]
}

/** Moves the point by keyboard; with Shift, ten times as far. */
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }

function start() {
  box.hidden = false
  const [lat, lng, exact, city, state] = ['lat', 'lng', 'show_exact_address', 'city', 'state'].map(field)
  const note = box.querySelector('[data-note]')
  const map = L.map(box.querySelector('[role=application]'), { zoomSnap: 0.5, attributionControl: true })
  map.attributionControl.setPrefix('')
  const cell = L.rectangle(MEXICO, {
    className: 'fill-primary/25 stroke-primary',
    weight: 2,
    fillOpacity: 1,
    interactive: false,
  })
  const icon = L.divIcon({
    className: 'rounded-full border-2 border-base-100 bg-secondary shadow',
    iconSize: [18, 18],
  })
  const pin = L.marker([0, 0], { icon, draggable: true })
  pin.on('add', () => pin.getElement().setAttribute('aria-label', box.dataset.exact))

  const read = () => {
    const point = { lat: Number(lat.value || Number.NaN), lng: Number(lng.value || Number.NaN) }
    return Number.isFinite(point.lat) && Number.isFinite(point.lng) ? point : undefined
  }
  // Until somebody places the point, it follows the address.
  let isPlaced = read() !== undefined
  const show = () => {
    const point = read()
    const isPublic = exact.checked
    box.querySelector('[data-legend]').textContent = isPublic ? box.dataset.public : box.dataset.exact
    box.querySelector('[data-cell-legend]').hidden = isPublic
    if (!point) {
      pin.remove()
      cell.remove()
      return undefined
    }
    pin.setLatLng(point).addTo(map)
    cell.setBounds(cellOf(point))
    if (isPublic) cell.remove()
    else cell.addTo(map)
    return point
  }
  const write = point => {
    lat.value = Number(point.lat.toFixed(6))
    lng.value = Number(point.lng.toFixed(6))
    show()
  }
  const place = ({ latlng }) => {
    isPlaced = true
    note.textContent = ''
    write(latlng)
  }
  map.on('click', place)
  pin.on('drag', () => place({ latlng: pin.getLatLng() }))
  exact.addEventListener('change', show)
  addKeys(map, pin, place)

  let asked = 0
  /** The server reads links and knows where colonias are. */
  const ask = async fields => {
    const mine = ++asked
    const values = fields.map(input => [input.name, input.value])
    const answer = await fetch(`/portal/listings/locate?${new URLSearchParams(values)}`).catch(
      () => undefined,
    )
    if (!answer?.ok || mine !== asked) return
    const found = await answer.json()
    note.textContent = found.note
    if (found.lat === undefined) return
    write(found)
    map.setView(found, CLOSE, { animate: false })
  }

  for (const input of [lat, lng]) {
    input.addEventListener('input', () => {
      isPlaced = true
      // Anything but a number is text that was pasted.
      if (/[^\d.\s-]|\d\s+-?\d/.test(input.value)) ask([input])
      const point = show()
      if (point) map.setView(point, Math.max(map.getZoom(), CLOSE), { animate: false })
    })
  }
  const address = ['state', 'city', 'municipality', 'neighborhood', 'postal_code'].map(field)
  document.querySelector('[data-locate]').addEventListener('click', event => {
    event.preventDefault()
    ask(address)
  })

  const point = read()
  if (point) map.setView(point, CLOSE)
  else map.fitBounds(MEXICO)
  window.baseMap.addTo(map, box.dataset)
  L.control.scale({ imperial: false }).addTo(map)
  drawGrid(map)
  show()
  window.baseMap.load(box.dataset.base).then(({ cities }) => {
    const go = () => {
      const town = cities.find(([name]) => folded(name) === folded(city.value))
      const center = JSON.parse(box.dataset.centers)[state.value]
      if (town) map.setView([town[1], town[2]], 12)
      else if (center) map.setView(center, 7)
    }
    for (const input of address)
      input.addEventListener('change', () => {
        if (isPlaced) return
        if (!read()) go()
        if (field('neighborhood').value || field('postal_code').value.length === 5) ask(address)
      })
    if (!read()) go()
  })
}

/** Enter puts the point in the center of the map; arrows on the point itself move it. */
function addKeys(map, pin, place) {
  const container = map.getContainer()
  container.addEventListener(
    'keydown',
    event => {
      const isOnPin = event.target === pin.getElement()
      if (event.key === 'Enter' && event.target === container) {
        event.preventDefault()
        place({ latlng: map.getCenter() })
        pin.getElement().focus()
      }
      const step = isOnPin && ARROWS[event.key]
      if (!step) return
      event.preventDefault()
      event.stopPropagation()
      const at = map
        .latLngToContainerPoint(pin.getLatLng())
        .add(L.point(step).multiplyBy(event.shiftKey ? 20 : 2))
      place({ latlng: map.containerPointToLatLng(at) })
    },
    true,
  )
}

if (box) start()
