/**
 * Neighborhoods by `state/city`: first the expensive ones, then the rest. Other cities, and a share of the listings
 * in these, use the shared pools.
 */
type Colonias = { alta: readonly string[]; media: readonly string[] }

export const SHARED_COLONIAS: Colonias = {
  alta: [
    'Lomas del Valle',
    'Residencial Campestre',
    'Bosques del Lago',
    'Villas del Campo',
    'Valle Real',
    'Residencial Las Palmas',
    'Altavista',
    'Jardines del Campestre',
    'Residencial Los Encinos',
    'Lomas Residencial',
  ],
  media: [
    'Centro',
    'Las Flores',
    'Jardines del Sur',
    'San Miguel',
    'Los Pinos',
    'La Loma',
    'Las Fuentes',
    'Reforma',
    'Vista Hermosa',
    'Los Álamos',
    'Santa Lucía',
    'Las Palmas',
    'Miguel Hidalgo',
    'La Esperanza',
    'San José',
    'Buenavista',
    'Los Fresnos',
    'Lindavista',
    'El Mirador',
    'Guadalupe',
    'Las Américas',
    'Emiliano Zapata',
    'Santa Cecilia',
    'Los Laureles',
  ],
}

export const RURAL_PLACES: readonly string[] = [
  'Ejido San Isidro',
  'La Cañada',
  'Rancho Nuevo',
  'San Isidro',
  'El Potrero',
  'La Soledad',
  'Ejido El Porvenir',
  'Los Encinos',
  'La Presa',
  'El Capulín',
  'Santa Rita',
  'San Antonio',
]

export const INDUSTRIAL_PLACES: readonly string[] = [
  'Zona Industrial',
  'Parque Industrial',
  'Ciudad Industrial',
  'Parque Industrial Norte',
  'Parque Industrial Oriente',
]

const list = (alta: string, media: string): Colonias => ({
  alta: alta.split(', '),
  media: media.split(', '),
})

export const COLONIAS: Readonly<Record<string, Colonias>> = {
  'Ciudad de México/Benito Juárez': list(
    'Del Valle Centro, Del Valle Norte, Del Valle Sur, Nápoles, Insurgentes Mixcoac, San José Insurgentes, Xoco',
    'Narvarte Poniente, Narvarte Oriente, Portales Norte, Portales Sur, Álamos, Letrán Valle, Noche Buena, Nativitas, Moderna',
  ),
  'Ciudad de México/Miguel Hidalgo': list(
    'Polanco, Polanco, Lomas de Chapultepec, Bosques de las Lomas, Granada, Ampliación Granada, Lomas Altas',
    'Anáhuac, Escandón, San Miguel Chapultepec, Verónica Anzures, Tacubaya, Popotla',
  ),
  'Ciudad de México/Cuauhtémoc': list(
    'Roma Norte, Roma Norte, Condesa, Hipódromo, Juárez, Cuauhtémoc',
    'Roma Sur, San Rafael, Santa María la Ribera, Doctores, Centro Histórico, Tabacalera, Obrera',
  ),
  'Ciudad de México/Álvaro Obregón': list(
    'San Ángel, Jardines del Pedregal, Guadalupe Inn, Florida, Santa Fe, Altavista',
    'Olivar de los Padres, Las Águilas, Lomas de Plateros, Tizapán, Merced Gómez',
  ),
  'Ciudad de México/Coyoacán': list(
    'Del Carmen, Villa Coyoacán, Romero de Terreros, Santa Catarina',
    'Campestre Churubusco, Paseos de Taxqueña, Los Cipreses, Copilco Universidad, Avante, Pedregal de Santo Domingo',
  ),
  'Ciudad de México/Tlalpan': list(
    'Jardines en la Montaña, Jardines del Ajusco, Club de Golf México, Insurgentes Cuicuilco',
    'Tlalpan Centro, Villa Coapa, Héroes de Padierna, Toriello Guerra, Miguel Hidalgo',
  ),
  'Ciudad de México/Cuajimalpa de Morelos': list(
    'Santa Fe Cuajimalpa, Bosques de las Lomas, Lomas de Vista Hermosa, Contadero',
    'Cuajimalpa, Jesús del Monte, Navidad, Memetla',
  ),
  'Ciudad de México/Gustavo A. Madero': list(
    'Lindavista Norte, Lindavista Sur',
    'Industrial, Guadalupe Tepeyac, San Juan de Aragón, Vallejo, Torres Lindavista, Aragón La Villa',
  ),
  'Ciudad de México/Azcapotzalco': list(
    'Clavería, Nueva Santa María',
    'El Rosario, San Álvaro, Ángel Zimbrón, Petrolera, Pro Hogar',
  ),
  'Ciudad de México/Iztapalapa': list(
    'Minerva, Los Cipreses',
    'Lomas Estrella, Granjas Esmeralda, Santa Cruz Meyehualco, Escuadrón 201, San Juan Xalpa',
  ),
  'Ciudad de México/Venustiano Carranza': list(
    'Jardín Balbuena',
    'Moctezuma 2a Sección, Federal, Valle Gómez, Romero Rubio, Aviación Civil',
  ),
  'Ciudad de México/Iztacalco': list(
    'Militar Marte, Reforma Iztaccíhuatl Norte',
    'Agrícola Oriental, Viaducto Piedad, Granjas México, Agrícola Pantitlán',
  ),
  'Ciudad de México/Xochimilco': list(
    'Tepepan, Jardines del Sur',
    'La Noria, San Lorenzo La Cebada, Barrio 18',
  ),
  'Ciudad de México/La Magdalena Contreras': list(
    'San Jerónimo Lídice, Santa Teresa',
    'San Jerónimo Aculco, Barranca Seca, La Concepción, San Nicolás Totolapan',
  ),
  'Ciudad de México/Tláhuac': list(
    'Del Mar',
    'La Nopalera, Selene, San Francisco Tlaltenco, Agrícola Metropolitana',
  ),
  'Ciudad de México/Milpa Alta': list(
    'Villa Milpa Alta',
    'San Pedro Atocpan, San Pablo Oztotepec, San Antonio Tecómitl',
  ),
  'Jalisco/Guadalajara': list(
    'Providencia, Providencia, Colinas de San Javier, Country Club, Americana, Ladrón de Guevara, Monraz',
    'Chapalita, Jardines del Bosque, Santa Teresita, Mexicaltzingo, Oblatos, Moderna, Jardines Alcalde, Independencia',
  ),
  'Jalisco/Zapopan': list(
    'Puerta de Hierro, Valle Real, Ciudad Bugambilias, Solares, Virreyes, Chapalita',
    'La Estancia, Jardines Universidad, Ciudad del Sol, Arcos de Zapopan, Tesistán, Constitución, Las Águilas',
  ),
  'Jalisco/Tlajomulco de Zúñiga': list(
    'El Palomar, Santa Anita, Nueva Galicia',
    'Hacienda Santa Fe, Chulavista, Real del Valle, Los Gavilanes',
  ),
  'Jalisco/Puerto Vallarta': list(
    'Zona Romántica, Marina Vallarta, Conchas Chinas, Amapas',
    'Versalles, Fluvial Vallarta, Las Gaviotas, 5 de Diciembre, Pitillal',
  ),
  'Jalisco/Chapala': list('Ajijic, Riberas del Pilar', 'San Antonio Tlayacapan, Chula Vista, Centro'),
  'Nuevo León/Monterrey': list(
    'Cumbres Elite, Contry, San Jerónimo, Valle Alto, Del Paseo Residencial, Obispado',
    'Mitras Centro, Centro, Cumbres 2o Sector, Tecnológico, Vista Hermosa, Altavista, Mitras Norte',
  ),
  'Nuevo León/San Pedro Garza García': list(
    'Del Valle, Valle Oriente, Fuentes del Valle, Residencial San Agustín, Lomas del Valle, Colonial de la Sierra, Residencial Chipinque',
    'Los Sabinos, Tampiquito, Jerónimo Siller',
  ),
  'Puebla/Puebla': list(
    'La Paz, Zavaleta, Huexotitla, Las Ánimas, Anzures',
    'Centro, Jardines de San Manuel, Bugambilias, La Margarita, Gabriel Pastor, Volcanes, Santa María',
  ),
  'Puebla/San Andrés Cholula': list(
    'Lomas de Angelópolis, La Vista Country Club, Reserva Territorial Atlixcáyotl',
    'San Rafael Comac, Concepción Guadalupe, Emiliano Zapata, San Bernardino Tlaxcalancingo',
  ),
  'Querétaro/Querétaro': list(
    'Juriquilla, Juriquilla, El Campanario, Jurica, Milenio III, Cumbres del Lago, Álamos',
    'El Refugio, El Refugio, Centro Sur, Centro, Carretas, El Mirador, Loma Dorada, Cimatario, Sonterra',
  ),
  'Querétaro/Corregidora': list(
    'Cañadas del Lago, Balvanera',
    'Tejeda, Candiles, Los Olvera, Puerta Real, Pirámides',
  ),
  'Yucatán/Mérida': list(
    'Temozón Norte, Temozón Norte, Cholul, Altabrisa, Montebello, Yucatán Country Club, Santa Gertrudis Copó, Cabo Norte',
    'Centro, García Ginerés, Itzimná, Campestre, Francisco de Montejo, Dzityá, Ciudad Caucel, México Norte, Las Américas',
  ),
  'Yucatán/Progreso': list('Chicxulub Puerto, Chelem', 'Centro, Chuburná Puerto, Flamboyanes'),
  'Quintana Roo/Cancún': list(
    'Zona Hotelera, Puerto Cancún, Residencial Cumbres, Lagos del Sol, Residencial Palmaris, Residencial Aqua',
    'Supermanzana 17, Supermanzana 50, Supermanzana 2A, Alfredo V. Bonfil, Jardines del Sur, Gran Santa Fe, Centro',
  ),
  'Quintana Roo/Playa del Carmen': list(
    'Playacar, Gonzalo Guerrero, Corasol, Selvamar',
    'Ejidal, Luis Donaldo Colosio, Centro, Zazil-Ha, Bosque Real, Villas del Sol',
  ),
  'Quintana Roo/Tulum': list(
    'Aldea Zamá, La Veleta, Selvazamá, Tankah',
    'Región 15, Región 8, Centro, Tumben Kaa',
  ),
  'Baja California/Tijuana': list(
    'Chapultepec, Lomas de Agua Caliente, Hipódromo, Playas de Tijuana, Zona Río, Cacho',
    'Otay Universidad, Villa Fontana, Santa Fe, El Refugio, La Mesa, Libertad',
  ),
  'Baja California Sur/Cabo San Lucas': list(
    'El Pedregal, El Tezal, Cabo Bello',
    'Centro, Lomas del Sol, Los Cangrejos',
  ),
  'Baja California Sur/San José del Cabo': list(
    'Puerto Los Cabos, Zona Hotelera, Club de Golf Fonatur',
    'Centro, Guaymitas, El Zacatal, Monte Real',
  ),
  'Nayarit/Nuevo Vallarta': list('Flamingos, El Tigre, Paradise Village', 'Valle Dorado, Jarretaderas'),
  'Nayarit/Bucerías': list('Zona Dorada, Playas de Huanacaxtle', 'Centro, Dorada, Terralta'),
  'Guanajuato/León': list(
    'Jardines del Moral, Gran Jardín, El Molino Residencial, Lomas del Campestre',
    'Centro, San Isidro, Cumbres del Campestre, Andrade, Villas de San Juan, Las Joyas',
  ),
  'Guanajuato/San Miguel de Allende': list(
    'Centro, Atascadero, Los Frailes, Ojo de Agua',
    'San Antonio, Guadalupe, La Lejona, Independencia',
  ),
  'Morelos/Cuernavaca': list(
    'Vista Hermosa, Delicias, Tabachines, Palmira, Reforma, Lomas de Cortés',
    'Acapantzingo, Jardines de Cuernavaca, Tlaltenango, Lomas de la Selva, Centro',
  ),
  'Estado de México/Naucalpan de Juárez': list(
    'Ciudad Satélite, Lomas Verdes, Hacienda de Echegaray, La Florida',
    'San Mateo, Los Pastores, Jardines de San Mateo, El Conde, San Bartolo',
  ),
  'Estado de México/Huixquilucan': list(
    'Interlomas, Bosque Real, La Herradura, Lomas de Tecamachalco, Lomas de las Palmas',
    'Jesús del Monte, El Olivo, Pirules',
  ),
  'Estado de México/Metepec': list(
    'San Carlos, La Providencia, La Asunción, La Virgen',
    'Casa Blanca, Izcalli Cuauhtémoc, San Jerónimo Chicahualco, Las Marinas',
  ),
  'Estado de México/Atizapán de Zaragoza': list(
    'Condado de Sayavedra, Hacienda de Valle Escondido, Club de Golf La Hacienda',
    'Las Alamedas, Lomas de Atizapán, Jardines de Atizapán, Calacoaya',
  ),
  'Guerrero/Acapulco': list(
    'Punta Diamante, Las Brisas, Granjas del Márquez',
    'Costa Azul, Magallanes, Progreso, Mozimba',
  ),
  'Sinaloa/Mazatlán': list(
    'Marina Mazatlán, Cerritos, El Cid, Sábalo Country',
    'Zona Dorada, Centro Histórico, Palos Prietos',
  ),
  'Chihuahua/Chihuahua': list(
    'San Felipe, Campestre, Lomas del Santuario, Haciendas del Valle',
    'Panamericana, Quintas del Sol, Centro, Cumbres',
  ),
  'Sonora/Hermosillo': list(
    'Pitic, Los Lagos, Las Quintas',
    'Modelo, Villa Satélite, Los Jardines, San Benito',
  ),
  'Michoacán/Morelia': list(
    'Altozano, Chapultepec Sur, Campestre',
    'Chapultepec Norte, Félix Ireta, Las Américas, Ventura Puente, Centro',
  ),
  'San Luis Potosí/San Luis Potosí': list(
    'Club de Golf La Loma, Lomas del Tecnológico, Privadas del Pedregal',
    'Tequisquiapan, Jardín, Villa Magna, Centro Histórico, Himno Nacional',
  ),
}

/** Coastal neighborhoods on the beach: an agent would notice a sea view next to the highway. */
export const BEACH_COLONIAS: ReadonlySet<string> = new Set([
  'Zona Hotelera',
  'Puerto Cancún',
  'Playacar',
  'Corasol',
  'Tankah',
  'Zona Romántica',
  'Conchas Chinas',
  'Marina Vallarta',
  'Amapas',
  'El Pedregal',
  'Cabo Bello',
  'Puerto Los Cabos',
  'Flamingos',
  'Paradise Village',
  'Playas de Huanacaxtle',
  'Zona Dorada',
  'Chicxulub Puerto',
  'Chelem',
  'Chuburná Puerto',
  'Punta Diamante',
  'Costa Azul',
  'Las Brisas',
  'Marina Mazatlán',
  'Cerritos',
  'El Cid',
  'Sábalo Country',
])
