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

function start() {
  box.hidden = false
  const [lat, lng, exact, city, state] = ['lat', 'lng', 'show_exact_address', 'city', 'state'].map(field)
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
  const pin = L.marker(map.options.center ?? [0, 0], {
    icon,
    draggable: true,
    keyboard: false,
    alt: box.dataset.exact,
  })

  const read = () => {
    const point = { lat: Number(lat.value || Number.NaN), lng: Number(lng.value || Number.NaN) }
    return Number.isFinite(point.lat) && Number.isFinite(point.lng) ? point : undefined
  }
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
  const place = ({ latlng }) => {
    lat.value = latlng.lat.toFixed(6)
    lng.value = latlng.lng.toFixed(6)
    show()
  }
  map.on('click', place)
  pin.on('drag', () => place({ latlng: pin.getLatLng() }))
  exact.addEventListener('change', show)
  for (const input of [lat, lng]) {
    input.addEventListener('input', () => {
      const [, pastedLat, pastedLng] = /^\s*\(?(-?\d+\.\d+),\s*(-?\d+\.\d+)\)?\s*$/.exec(input.value) ?? []
      if (pastedLat) [lat.value, lng.value] = [pastedLat, pastedLng]
      const point = show()
      if (point) map.setView(point, Math.max(map.getZoom(), CLOSE))
    })
  }

  const point = read()
  if (point) map.setView(point, CLOSE)
  else map.fitBounds(MEXICO)
  window.baseMap.addTo(map, box.dataset)
  L.control.scale({ imperial: false }).addTo(map)
  drawGrid(map)
  show()
  window.baseMap.load(box.dataset.base).then(({ cities }) => {
    // Until there is a point, the map follows the city and state in the form.
    const go = () => {
      if (read()) return
      const town = cities.find(([name]) => folded(name) === folded(city.value))
      const center = JSON.parse(box.dataset.centers)[state.value]
      if (town) map.setView([town[1], town[2]], 12)
      else if (center) map.setView(center, 7)
    }
    city.addEventListener('change', go)
    state.addEventListener('change', go)
    go()
  })
}

if (box) start()
