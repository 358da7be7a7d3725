/**
 * What people in Mexico type, and what they mean by it: `typed => conditions`, separated by semicolons. A listing of the
 * demo market that meets all of them is a right answer. Numbers: `beds=2` is best with exactly two and right with more.
 */
const JUDGED = `
casa en renta cdmx => type=house; op=rental; state=Ciudad de México
casas en renta en la ciudad de méxico => type=house; op=rental; state=Ciudad de México
casa en venta df => type=house; op=sale; state=Ciudad de México
departamento en renta cdmx => type=apartment; op=rental; state=Ciudad de México
depas en renta cdmx => type=apartment; op=rental; state=Ciudad de México
depa cdmx 2 recamaras => type=apartment; state=Ciudad de México; beds=2
depa 2 recamaras roma => type=apartment; hood=Roma; beds=2
departamento 2 recámaras roma norte => type=apartment; hood=Roma Norte; beds=2
depto narvarte => type=apartment; hood=Narvarte
departamentos en venta narvarte poniente => type=apartment; op=sale; hood=Narvarte Poniente
depa en la nápoles => type=apartment; hood=Nápoles
departamento col. del carmen coyoacan => type=apartment; hood=Del Carmen; city=Coyoacán
casa en coyoacán => type=house; city=Coyoacán
casas coyoacan cdmx => type=house; city=Coyoacán; state=Ciudad de México
casa tlalpan 3 recamaras => type=house; city=Tlalpan; beds=3
oficina en renta benito juarez => type=office; op=rental; place=Benito Juárez
oficinas en renta cdmx => type=office; op=rental; state=Ciudad de México
casa santa anita tlajomulco => type=house; hood=Santa Anita
loft condesa => type=apartment; hood=Condesa
departamento polanco => type=apartment; hood=Polanco
departamentos miguel hidalgo cdmx => type=apartment; city=Miguel Hidalgo; state=Ciudad de México
departamento bosques de las lomas => hood=Bosques de las Lomas; type=apartment
depa con alberca cdmx => type=apartment; state=Ciudad de México; feature=Alberca
departamento con gimnasio en ciudad de mexico => type=apartment; state=Ciudad de México; feature=Gimnasio
depa que acepte mascotas cdmx => type=apartment; state=Ciudad de México; feature=Mascotas permitidas
departamento acepta mascotas => type=apartment; feature=Mascotas permitidas
acepta mascotas => feature=Mascotas permitidas
depa pet friendly => type=apartment; feature=Mascotas permitidas
departamento amueblado en renta => type=apartment; op=rental; feature=Amueblado
depas amueblados cdmx => type=apartment; state=Ciudad de México; feature=Amueblado
bodega monterrey => type=warehouse; city=Monterrey
bodegas en renta monterrey nl => type=warehouse; op=rental; city=Monterrey
bodega en renta nuevo león => type=warehouse; op=rental; state=Nuevo León
nave industrial nuevo leon => type=warehouse; state=Nuevo León
nave industrial apodaca => type=warehouse; city=Apodaca
bodega industrial mas de 500 m2 => type=warehouse; built>=500
casa en monterrey => type=house; city=Monterrey
casas en venta mty => type=house; op=sale; city=Monterrey
casa san pedro garza garcia => type=house; city=San Pedro Garza García
valle oriente => hood=Valle Oriente
casa guadalupe nuevo leon => type=house; city=Guadalupe; state=Nuevo León
casas en apodaca => type=house; city=Apodaca
casa guadalajra => type=house; city=Guadalajara
guadalajra => place=Guadalajara
casas gdl => type=house; city=Guadalajara
departamento en guadalajara => type=apartment; city=Guadalajara
casa zapopan => type=house; city=Zapopan
casa en coto zapopan => type=house; city=Zapopan; feature=Fraccionamiento privado
zapopn => place=Zapopan
casas tlajomulco => type=house; place=Tlajomulco
casa hacienda santa fe tlajomulco => hood=Hacienda Santa Fe; type=house
casas en tlaquepaque => type=house; place=Tlaquepaque
casa en jalisco con jardin => type=house; state=Jalisco; feature=Jardín
terrenos jalisco => type=land; state=Jalisco
departamento puerto vallarta => type=apartment; city=Puerto Vallarta
condo vallarta ocean view => type=apartment; city=Puerto Vallarta; feature=Vista al mar
condos for sale puerto vallarta => type=apartment; op=sale; city=Puerto Vallarta
depa zona romantica => hood=Zona Romántica; type=apartment
fluvial vallarta departamentos => hood=Fluvial Vallarta; type=apartment
marina vallarta => hood=Marina Vallarta
terreno barato tulum => type=land; city=Tulum
terrenos en tulum => type=land; city=Tulum
lotes tulum => type=land; city=Tulum
departamentos en venta tulum => type=apartment; op=sale; city=Tulum
depa tulum menos de 4 millones => type=apartment; city=Tulum; price<=4000000; op=sale
tulum aldea zama => hood=Aldea Zamá
la veleta tulum => hood=La Veleta
condo tulum with pool => type=apartment; city=Tulum; feature=Alberca
departamento playa del carmen => type=apartment; city=Playa del Carmen
depas playa del carmen alberca => type=apartment; city=Playa del Carmen; feature=Alberca
condos in playa del carmen => type=apartment; city=Playa del Carmen
riviera maya departamento => type=apartment; place=Playa del Carmen|Tulum|Puerto Morelos|Puerto Aventuras|Akumal
casa riviera maya => type=house; place=Playa del Carmen|Tulum|Puerto Morelos|Puerto Aventuras|Akumal
departamentos cancun => type=apartment; city=Cancún
casa en cancún 3 recámaras => type=house; city=Cancún; beds=3
casa en renta cancun => type=house; op=rental; city=Cancún
casas en quintana roo => type=house; state=Quintana Roo
terreno bacalar => type=land; city=Bacalar
casa en merida => type=house; city=Mérida
casas en venta mérida yucatán => type=house; op=sale; city=Mérida
casa con alberca en merida => type=house; city=Mérida; feature=Alberca
casa con piscina merida => type=house; city=Mérida; feature=Alberca
casa merida temozon norte => type=house; hood=Temozón Norte
terrenos en mérida => type=land; place=Mérida
casa en yucatan con alberca => type=house; state=Yucatán; feature=Alberca
casa progreso yucatan => type=house; city=Progreso
casas chelem => type=house; hood=Chelem
terreno conkal => type=land; city=Conkal
yucatn casas => type=house; state=Yucatán
casa en queretaro => type=house; place=Querétaro
casas en qro => type=house; state=Querétaro
casa juriquilla => type=house; hood=Juriquilla
casa en juriquilla 3 recamaras => type=house; hood=Juriquilla; beds=3
departamento querétaro renta => type=apartment; op=rental; state=Querétaro
local comercial queretaro => type=commercial; state=Querétaro
casas corregidora balvanera => hood=Balvanera; type=house
tequisquiapan casa => type=house; city=Tequisquiapan
rancho en queretaro => type=ranch; state=Querétaro
casa en puebla => type=house; state=Puebla
casas cholula => type=house; place=San Andrés Cholula|San Pedro Cholula
departamento san andres cholula => type=apartment; city=San Andrés Cholula
casa cuernavaca con alberca => type=house; city=Cuernavaca; feature=Alberca
casa de fin de semana cuernavaca => type=house; city=Cuernavaca
casas en morelos => type=house; state=Morelos
casa toluca => type=house; city=Toluca
casas metepec => type=house; city=Metepec
casa en edomex => type=house; state=Estado de México
departamentos estado de mexico => type=apartment; state=Estado de México
casa interlomas => type=house; hood=Interlomas
departamento huixquilucan => type=apartment; city=Huixquilucan
bosque real departamento => hood=Bosque Real; type=apartment
casa atizapan => type=house; place=Atizapán
casa en cuautitlan izcalli => type=house; city=Cuautitlán Izcalli
casa leon guanajuato => type=house; city=León
casa en león gto => type=house; city=León
san miguel de allende => city=San Miguel de Allende
property in san miguel de allende => city=San Miguel de Allende
casas guanajuato => type=house; state=Guanajuato
casas los cabos => type=house; city=Cabo San Lucas|San José del Cabo
los cabos vista al mar => city=Cabo San Lucas|San José del Cabo; feature=Vista al mar
condo cabo san lucas => type=apartment; city=Cabo San Lucas
house los cabos ocean view => type=house; city=Cabo San Lucas|San José del Cabo; feature=Vista al mar
terreno san jose del cabo => type=land; city=San José del Cabo
casa la paz bcs => place=La Paz; type=house
tijuana departamento en renta => type=apartment; op=rental; city=Tijuana
casa tijuana => type=house; city=Tijuana
casa ensenada => type=house; city=Ensenada
mexicali casa venta => type=house; op=sale; city=Mexicali
casa ciudad juarez => type=house; city=Ciudad Juárez
casas en cd juarez => type=house; city=Ciudad Juárez
casa chihuahua => type=house; state=Chihuahua
casa culiacan => type=house; city=Culiacán
departamento mazatlan => type=apartment; city=Mazatlán
marina mazatlan => hood=Marina Mazatlán
mazatlan vista al mar => city=Mazatlán; feature=Vista al mar
casa san luis potosi => type=house; place=San Luis Potosí
casas en slp => type=house; state=San Luis Potosí
casa aguascalientes => type=house; state=Aguascalientes
casa xalapa => type=house; city=Xalapa
casas en veracruz => type=house; state=Veracruz
departamento acapulco => type=apartment; city=Acapulco
casa oaxaca => type=house; state=Oaxaca
casa tuxtla gutierrez => type=house; city=Tuxtla Gutiérrez
casa durango => type=house; state=Durango
casa tepic => type=house; city=Tepic
nayarit departamento playa => type=apartment; state=Nayarit
menos de 3 millones => op=sale; price<=3000000
casas menos de 2 millones => type=house; price<=2000000
casas de 1 a 2 millones => type=house; price>=1000000; price<=2000000
casa entre 3 y 5 millones => type=house; price>=3000000; price<=5000000
casa 2.5 mdp => type=house; price<=2500000
departamento hasta 2.5 mdp => type=apartment; price<=2500000
depa renta menos de 15 mil => type=apartment; op=rental; price<=15000
departamento 15 mil al mes => type=apartment; op=rental; price<=15000
depa en renta maximo $20,000 => type=apartment; op=rental; price<=20000
casa en renta entre 10 y 20 mil => type=house; op=rental; price>=10000; price<=20000
casa barata => type=house
casas económicas en venta => type=house; op=sale
departamentos baratos en renta cdmx => type=apartment; op=rental; state=Ciudad de México
casa de 3 recamaras => type=house; beds=3
casa tres recámaras dos baños => type=house; beds=3; baths>=2
casa 4 recámaras con jardín => type=house; beds=4; feature=Jardín
casa 3 recamaras 2 baños y medio => type=house; beds=3; baths>=2
casa 2 autos => type=house; cars>=2
casa con cochera para 2 autos => type=house; cars>=2
departamento 1 recamara => type=apartment; beds=1
depa una recámara amueblado => type=apartment; beds=1; feature=Amueblado
departamento 3 habitaciones con elevador => type=apartment; beds=3; feature=Elevador
casa de mas de 300 m2 => type=house; built>=300
terreno 1000 m2 => type=land; lot>=1000
terreno de más de 500 metros => type=land; lot>=500
casa una sola planta => type=house; feature=Una sola planta
casa un piso => type=house; feature=Una sola planta
casa con roof garden => type=house; feature=Roof garden
depa con roof => type=apartment; feature=Roof garden
casa con chimenea => type=house; feature=Chimenea
casa con paneles solares => type=house; feature=Panel solar
departamento con balcon => type=apartment; feature=Balcón
departamento con terraza => type=apartment; feature=Terraza
casa con cuarto de servicio => type=house; feature=Cuarto de servicio
casa en fraccionamiento privado => type=house; feature=Fraccionamiento privado
casa seguridad 24 horas => type=house; feature=Seguridad 24 horas
casa con aire acondicionado => type=house; feature=Aire acondicionado
departamento frente al mar => type=apartment; feature=Frente a la playa
penthouse => feature=Penthouse
local en renta => type=commercial; op=rental
locales comerciales en renta => type=commercial; op=rental
se renta local comercial => type=commercial; op=rental
se vende rancho => type=ranch; op=sale
ranchos en venta => type=ranch; op=sale
quinta en venta => type=ranch; op=sale
edificio en venta => type=building; op=sale
edificio en venta cdmx => type=building; op=sale; state=Ciudad de México
consultorio en renta => type=office; op=rental
oficinas en venta => type=office; op=sale
lote en venta => type=land; op=sale
terrenos en venta => type=land; op=sale
busco casa en renta => type=house; op=rental
busco departamento para comprar => type=apartment; op=sale
quiero rentar un depa => type=apartment; op=rental
alquiler departamento => type=apartment; op=rental
casa en alquiler => type=house; op=rental
apartamento en renta => type=apartment; op=rental
house with garden => type=house; feature=Jardín
house for rent => type=house; op=rental
houses for sale in merida => type=house; op=sale; city=Mérida
apartment for rent mexico city => type=apartment; op=rental; state=Ciudad de México
2 bedroom apartment for rent => type=apartment; op=rental; beds=2
3 bedroom house with pool => type=house; beds=3; feature=Alberca
beachfront condo => type=apartment; feature=Frente a la playa
furnished apartment => type=apartment; feature=Amueblado
land for sale tulum => type=land; op=sale; city=Tulum
lot in baja california sur => type=land; state=Baja California Sur
office for rent => type=office; op=rental
warehouse for rent => type=warehouse; op=rental
house under 3 million => type=house; price<=3000000
ranch for sale => type=ranch; op=sale
departmento en renta => type=apartment; op=rental
csas en venta => type=house; op=sale
casa con alverca => type=house; feature=Alberca
depa en quertaro => type=apartment; place=Querétaro
casa con tres cuartos en guadalajara => type=house; city=Guadalajara; beds=3
depto. en la del valle => type=apartment; hood=Del Valle
local comercial centro de mérida => type=commercial; city=Mérida
se rentan oficinas amuebladas => type=office; op=rental; feature=Amueblado
departamento con vista al mar en mazatlán => type=apartment; city=Mazatlán; feature=Vista al mar
house for sale in san miguel de allende with roof garden => type=house; op=sale; city=San Miguel de Allende; feature=Roof garden
1 bedroom condo playa del carmen under 250k usd => type=apartment; city=Playa del Carmen; beds=1; op=sale; dollars<=250000
renta de departamento en santa fe => type=apartment; op=rental; hood=Santa Fe
casas infonavit => type=house
bodegas en queretaro => type=warehouse; state=Querétaro
casa en venta de una planta merida norte => type=house; op=sale; city=Mérida; feature=Una sola planta
terreno campestre => type=land
vendo casa en leon => type=house; op=sale; city=León
depas baratos gdl => type=apartment; city=Guadalajara
quinta con alberca morelos => type=ranch; state=Morelos; feature=Alberca
townhouse cancun => type=house; city=Cancún
villa en tulum => type=house; city=Tulum
departamento de lujo polanco 3 recamaras => type=apartment; hood=Polanco; beds=3
casa san pedro => type=house; city=San Pedro Garza García
oficina en monterrey => type=office; city=Monterrey
locales en plaza comercial => type=commercial
casa con estudio => type=house; feature=Estudio
casa con jacuzzi y alberca => type=house; feature=Jacuzzi; feature=Alberca
depa en colonia roma norte => type=apartment; hood=Roma Norte
casa en alcaldia coyoacan => type=house; city=Coyoacán
apartments with gym in mexico city => type=apartment; state=Ciudad de México; feature=Gimnasio
3 bed 2 bath house merida => type=house; city=Mérida; beds=3; baths>=2
pet friendly apartment cdmx => type=apartment; state=Ciudad de México; feature=Mascotas permitidas
casa hasta 3.5 millones de pesos => type=house; price<=3500000
casa de $2,000,000 a $4,000,000 => type=house; price>=2000000; price<=4000000
renta 20000 mensual => op=rental; price<=20000
departamento menor a 12 mil pesos renta => type=apartment; op=rental; price<=12000
casa en cabo san lucas frente al mar => type=house; city=Cabo San Lucas; feature=Frente a la playa
monterey warehouse => type=warehouse; city=Monterrey
deprtamento cancun => type=apartment; city=Cancún
casa en toluka => type=house; city=Toluca
inmuebles en puebla => state=Puebla
propiedades en venta en cholula => op=sale; place=San Andrés Cholula|San Pedro Cholula
terreno mas de 200 m2 en merida => type=land; place=Mérida; lot>=200
casa con 2 cajones de estacionamiento => type=house; cars>=2
casas en san luis potosí capital => type=house; place=San Luis Potosí
beach house yucatan => type=house; state=Yucatán
casa chica economica => type=house
departamento planta baja => type=apartment
casas en privada queretaro => type=house; state=Querétaro; feature=Fraccionamiento privado
casa sin alberca => type=house; without=Alberca
depa sin elevador cdmx => type=apartment; state=Ciudad de México; without=Elevador
departamento no amueblado en renta => type=apartment; op=rental; without=Amueblado
depa sin amueblar => type=apartment; without=Amueblado
house without pool merida => type=house; city=Mérida; without=Alberca
casa de 2 a 3 recamaras => type=house; beds>=2; beds<=3
depa 1 o 2 recamaras cdmx => type=apartment; state=Ciudad de México; beds>=1; beds<=2
2-3 recámaras guadalajara => city=Guadalajara; beds>=2; beds<=3
depa de 80 a 100 m2 => type=apartment; built>=80; built<=100
terreno entre 200 y 300 m2 => type=land; lot>=200; lot<=300
terreno 10x20 => type=land; lot>=200
casa con 2 cocheras => type=house; cars>=2
casa de 1 millon 200 mil a 2 millones 300 mil => type=house; op=sale; price>=1200000; price<=2300000
casa de millon y medio => type=house; op=sale; price<=1500000
depa en renta 9000 => type=apartment; op=rental; price<=9000
depa 9500 al mes => type=apartment; op=rental; price<=9500
depa en renta de 10 a 15 mil => type=apartment; op=rental; price>=10000; price<=15000
renta quince mil => op=rental; price<=15000
casa en renta o venta en puebla => type=house; state=Puebla
casa en queretaro, qro => type=house; city=Querétaro
casas en la ciudad de puebla => type=house; city=Puebla
terreno en guanajuato guanajuato => type=land; city=Guanajuato
casa en san luis => type=house; place=San Luis Potosí
houses in mexico => type=house
casa cerca del centro de guadalajara => type=house; city=Guadalajara
hola buenos dias busco un departamento en la del valle gracias => type=apartment; hood=Del Valle
hello, i am looking for a house in merida please => type=house; city=Mérida
cheapest apartment in guadalajara => type=apartment; city=Guadalajara
depa en roma o condesa => type=apartment; hood=Roma|Condesa
departamento roma norte, condesa o del valle => type=apartment; hood=Roma Norte|Condesa|Del Valle
departamento en roma, condesa o del valle => type=apartment; hood=Roma|Condesa|Del Valle
casa en guadalajara, jalisco o zapopan, jalisco => type=house; city=Guadalajara|Zapopan
casa en merida yucatan o tulum quintana roo => type=house; city=Mérida|Tulum
depa en coyoacan o en tlalpan => type=apartment; city=Coyoacán|Tlalpan
depas en renta narvarte o napoles cdmx => type=apartment; op=rental; hood=Narvarte|Nápoles; state=Ciudad de México
casas en merida o progreso => type=house; place=Mérida|Progreso
casa en guadalajara o zapopan 3 recamaras => type=house; city=Guadalajara|Zapopan; beds=3
casa en zapopan / tlaquepaque => type=house; place=Zapopan|San Pedro Tlaquepaque
terreno en tulum o playa del carmen => type=land; city=Tulum|Playa del Carmen
depa en queretaro y puebla => type=apartment; place=Querétaro|Puebla
apartment in roma or condesa => type=apartment; hood=Roma|Condesa
cdmx o edomex => state=Ciudad de México|Estado de México
terreno de media hectarea => type=land; lot>=5000
casa no mayor a 3 millones => type=house; op=sale; price<=3000000
depa no arriba de 10 mil en renta => type=apartment; op=rental; price<=10000; period=monthly
no menos de 3 recamaras en queretaro => beds=3; state=Querétaro
depa no se permiten mascotas => type=apartment; without=Mascotas permitidas
departamento sin estacionamiento => type=apartment; cars<=0
casa con alberca pero sin jardin => type=house; feature=Alberca; without=Jardín
depa en renta tengo un perro => type=apartment; op=rental; feature=Mascotas permitidas
bodega para trailer con anden => type=warehouse; feature=Muelle de carga
house merida $250,000 usd => type=house; city=Mérida; op=sale; dollars<=250000
apartment rent under 1000 usd cdmx => type=apartment; op=rental; state=Ciudad de México; dollars<=1000; period=monthly
2 bed condo beachfront under 300k usd => type=apartment; beds=2; op=sale; dollars<=300000; feature=Frente a la playa
terreno en 300 mil pesos => type=land; op=sale; price<=300000
terreno con todos los servicios luz agua => type=land
renta vacacional por noche => op=rental; period=daily
depa en nuevo polanco => type=apartment; hood=Polanco
depa en polanco, lomas o interlomas => type=apartment; hood=Polanco|Lomas|Interlomas
depa delegacion benito juarez => type=apartment; city=Benito Juárez; state=Ciudad de México
depa en neza => type=apartment; city=Nezahualcóyotl
departamento sn luis potosi => type=apartment; state=San Luis Potosí
casa 3 recs con cuarto de servicio en zapopan o guadalajara => type=house; city=Zapopan|Guadalajara; beds=3; feature=Cuarto de servicio
depa 10mil al mes => type=apartment; op=rental; price<=10000; period=monthly
renta 4500 => op=rental; price<=4500; period=monthly
casa 2 plantas monterrey => type=house; city=Monterrey; floors=2
casa en un solo piso => type=house; feature=Una sola planta
casa de dos pisos con jardin => type=house; floors=2; feature=Jardín
depa con terraza privada => type=apartment; feature=Terraza
bodega con anden de carga y oficina => type=warehouse; feature=Muelle de carga
casa con terreno de 500 metros => type=house; lot>=500
casa 250 de construccion => type=house; built>=250
terreno de 5 mil metros => type=land; lot>=5000
terreno de 1/2 hectarea => type=land; lot>=5000
casa 4 500 000 => type=house; op=sale; price<=4500000
depa 3 mil 500 mensuales => type=apartment; op=rental; price<=3500; period=monthly
un millon doscientos => op=sale; price<=1200000
house 1500 sq ft => type=house; built>=139
casa 3/2 merida => type=house; city=Mérida; beds=3; baths>=2
unfurnished apartment for rent => type=apartment; op=rental; without=Amueblado
depa que cuente con elevador => type=apartment; feature=Elevador
entre 5 y 3 millones casa => type=house; op=sale; price<=5000000
`

interface Condition {
  field: string
  is: '=' | '<=' | '>='
  value: string
}

export interface Judged {
  typed: string
  conditions: Condition[]
}

export const readJudged = (text: string): Judged[] =>
  text
    .trim()
    .split('\n')
    .map(line => {
      const [typed = '', wanted = ''] = line.split(' => ')
      const conditions = wanted.split('; ').map(one => {
        const [, field = '', is = '', value = ''] = /^(\w+)(=|<=|>=)(.+)$/.exec(one) ?? []
        if (!field) throw new Error(`cannot read «${one}» of «${line}»`)
        return { field, is: is as Condition['is'], value }
      })
      return { typed, conditions }
    })

export const judged = readJudged(JUDGED)
