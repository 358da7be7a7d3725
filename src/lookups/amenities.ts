import { foldText } from '../lib/text.ts'

export type AmenityCategory =
  | 'Recreación'
  | 'Exterior'
  | 'General'
  | 'Seguridad'
  | 'Accesibilidad'
  | 'Políticas'

type Amenity = {
  /** Spanish label: what we store and accept. */
  label: string
  en: string
  category: AmenityCategory
  aliases: readonly string[]
}

export const AMENITIES: readonly Amenity[] = [
  { label: 'Alberca', en: 'Swimming pool', category: 'Recreación', aliases: ['Piscina'] },
  { label: 'Alberca techada', en: 'Indoor pool', category: 'Recreación', aliases: [] },
  { label: 'Chapoteadero', en: 'Wading pool', category: 'Recreación', aliases: [] },
  { label: 'Jacuzzi', en: 'Jacuzzi / hot tub', category: 'Recreación', aliases: [] },
  { label: 'Gimnasio', en: 'Gym', category: 'Recreación', aliases: ['Gym'] },
  {
    label: 'Salón de usos múltiples',
    en: 'Multipurpose room',
    category: 'Recreación',
    aliases: ['SUM', 'Salón de eventos', 'Usos múltiples'],
  },
  {
    label: 'Área de juegos infantiles',
    en: "Children's playground",
    category: 'Recreación',
    aliases: ['Juegos infantiles'],
  },
  { label: 'Ludoteca', en: 'Playroom', category: 'Recreación', aliases: [] },
  { label: 'Cancha de tenis', en: 'Tennis court', category: 'Recreación', aliases: [] },
  {
    label: 'Cancha de pádel',
    en: 'Padel court',
    category: 'Recreación',
    aliases: ['Pádel', 'Cancha de padel'],
  },
  { label: 'Cancha de fútbol', en: 'Soccer field', category: 'Recreación', aliases: [] },
  {
    label: 'Cancha de básquetbol',
    en: 'Basketball court',
    category: 'Recreación',
    aliases: ['Cancha de basquetbol'],
  },
  { label: 'Campo de golf', en: 'Golf course', category: 'Recreación', aliases: ['Golf'] },
  { label: 'Casa club', en: 'Clubhouse', category: 'Recreación', aliases: ['Club house'] },
  { label: 'Cine', en: 'Home theater', category: 'Recreación', aliases: ['Sala de cine'] },
  { label: 'Sauna', en: 'Sauna', category: 'Recreación', aliases: [] },
  { label: 'Vapor', en: 'Steam room', category: 'Recreación', aliases: [] },
  { label: 'Fogatero', en: 'Fire pit', category: 'Recreación', aliases: [] },
  { label: 'Ciclopista', en: 'Bike path', category: 'Recreación', aliases: [] },
  { label: 'Jardín', en: 'Garden', category: 'Exterior', aliases: [] },
  { label: 'Terraza', en: 'Terrace', category: 'Exterior', aliases: [] },
  { label: 'Balcón', en: 'Balcony', category: 'Exterior', aliases: [] },
  { label: 'Patio', en: 'Patio', category: 'Exterior', aliases: [] },
  { label: 'Roof garden', en: 'Roof garden', category: 'Exterior', aliases: ['Roofgarden'] },
  { label: 'Asador', en: 'Barbecue grill', category: 'Exterior', aliases: ['Parrilla', 'BBQ'] },
  { label: 'Áreas verdes', en: 'Green areas', category: 'Exterior', aliases: ['Área verde'] },
  { label: 'Áreas comunes', en: 'Common areas', category: 'Exterior', aliases: ['Área común'] },
  { label: 'Área para mascotas', en: 'Pet area', category: 'Exterior', aliases: ['Pet park'] },
  { label: 'Cisterna', en: 'Water cistern', category: 'Exterior', aliases: [] },
  { label: 'Riego por aspersión', en: 'Sprinkler irrigation', category: 'Exterior', aliases: [] },
  { label: 'Garaje', en: 'Garage', category: 'Exterior', aliases: ['Cochera'] },
  {
    label: 'Estacionamiento techado',
    en: 'Covered parking',
    category: 'Exterior',
    aliases: ['Cochera techada'],
  },
  { label: 'Estacionamiento de visitas', en: 'Visitor parking', category: 'Exterior', aliases: [] },
  { label: 'Facilidad para estacionarse', en: 'Easy street parking', category: 'Exterior', aliases: [] },
  { label: 'Cargador para auto eléctrico', en: 'EV charger', category: 'Exterior', aliases: [] },
  { label: 'Frente a la playa', en: 'Beachfront', category: 'Exterior', aliases: [] },
  { label: 'Acceso a la playa', en: 'Beach access', category: 'Exterior', aliases: [] },
  { label: 'Frente al agua', en: 'Waterfront', category: 'Exterior', aliases: [] },
  { label: 'Vista al mar', en: 'Ocean view', category: 'Exterior', aliases: [] },
  { label: 'Vista panorámica', en: 'Panoramic view', category: 'Exterior', aliases: [] },
  { label: 'Muelle de carga', en: 'Loading dock', category: 'Exterior', aliases: ['Andén'] },
  {
    label: 'Aire acondicionado',
    en: 'Air conditioning',
    category: 'General',
    aliases: ['A/C', 'Clima', 'Minisplit'],
  },
  { label: 'Calefacción', en: 'Heating', category: 'General', aliases: [] },
  { label: 'Chimenea', en: 'Fireplace', category: 'General', aliases: [] },
  { label: 'Amueblado', en: 'Furnished', category: 'General', aliases: ['Amueblada'] },
  { label: 'Cocina integral', en: 'Built-in kitchen', category: 'General', aliases: [] },
  { label: 'Cocina equipada', en: 'Equipped kitchen', category: 'General', aliases: [] },
  { label: 'Cuarto de servicio', en: "Maid's room", category: 'General', aliases: [] },
  {
    label: 'Cuarto de lavado',
    en: 'Laundry room',
    category: 'General',
    aliases: ['Lavandería', 'Área de lavado'],
  },
  { label: 'Bodega', en: 'Storage room', category: 'General', aliases: ['Cuarto de guardado'] },
  { label: 'Clósets', en: 'Closets', category: 'General', aliases: ['Closets'] },
  { label: 'Vestidor', en: 'Walk-in closet', category: 'General', aliases: [] },
  { label: 'Estudio', en: 'Study', category: 'General', aliases: [] },
  { label: 'Oficina', en: 'Home office', category: 'General', aliases: [] },
  { label: 'Recámara en planta baja', en: 'Ground-floor bedroom', category: 'General', aliases: [] },
  { label: 'Una sola planta', en: 'Single story', category: 'General', aliases: [] },
  { label: 'Dos plantas', en: 'Two stories', category: 'General', aliases: [] },
  { label: 'Penthouse', en: 'Penthouse', category: 'General', aliases: [] },
  { label: 'Elevador', en: 'Elevator', category: 'General', aliases: ['Ascensor'] },
  { label: 'Internet', en: 'Internet / fiber', category: 'General', aliases: ['Wifi', 'Fibra óptica'] },
  { label: 'Gas natural', en: 'Natural gas', category: 'General', aliases: [] },
  { label: 'Gas estacionario', en: 'Stationary gas tank', category: 'General', aliases: [] },
  { label: 'Hidroneumático', en: 'Pressurized water system', category: 'General', aliases: [] },
  { label: 'Panel solar', en: 'Solar panels', category: 'General', aliases: ['Paneles solares'] },
  { label: 'Calentador solar', en: 'Solar water heater', category: 'General', aliases: [] },
  { label: 'Planta eléctrica', en: 'Backup generator', category: 'General', aliases: [] },
  { label: 'Alarma', en: 'Alarm', category: 'Seguridad', aliases: [] },
  { label: 'Circuito cerrado', en: 'CCTV', category: 'Seguridad', aliases: ['CCTV'] },
  {
    label: 'Seguridad 24 horas',
    en: '24-hour security',
    category: 'Seguridad',
    aliases: ['Vigilancia 24 horas', 'Vigilancia'],
  },
  {
    label: 'Acceso controlado',
    en: 'Controlled access',
    category: 'Seguridad',
    aliases: ['Caseta de vigilancia'],
  },
  { label: 'Portero', en: 'Doorman', category: 'Seguridad', aliases: ['Conserje'] },
  {
    label: 'Fraccionamiento privado',
    en: 'Gated community',
    category: 'Seguridad',
    aliases: ['Coto privado', 'Privada'],
  },
  {
    label: 'Accesibilidad para personas con discapacidad',
    en: 'Wheelchair accessible',
    category: 'Accesibilidad',
    aliases: ['Rampas'],
  },
  {
    label: 'Accesibilidad para adultos mayores',
    en: 'Senior accessible',
    category: 'Accesibilidad',
    aliases: [],
  },
  {
    label: 'Mascotas permitidas',
    en: 'Pets allowed',
    category: 'Políticas',
    aliases: ['Se aceptan mascotas', 'Pet friendly'],
  },
  { label: 'No se aceptan mascotas', en: 'No pets', category: 'Políticas', aliases: [] },
  { label: 'Prohibido fumar', en: 'No smoking', category: 'Políticas', aliases: [] },
]

const byKey = new Map<string, string>(
  AMENITIES.flatMap(amenity =>
    [amenity.label, ...amenity.aliases].map((spelling): [string, string] => [
      foldText(spelling),
      amenity.label,
    ]),
  ),
)

/** The stored label of an amenity for its label or an alias (`piscina` → `Alberca`). */
export function canonicalAmenity(text: string): string | undefined {
  return byKey.get(foldText(text))
}
