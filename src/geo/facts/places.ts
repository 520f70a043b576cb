/**
 * A table of places: the georegion and the centre, in degrees north and east, of every country of ISO 3166-1 (and XK),
 * of the states of the USA and of the provinces of Canada.
 *
 * Countries: the geographic coordinates of the CIA World Factbook, which is in the public domain, rounded to half a
 * degree. States and provinces: their geographic centres, rounded alike; our own table, under this project's licence.
 * The regions are our choice. In the USA and Canada they follow the time zone of most inhabitants: Eastern and
 * Atlantic, Central, Mountain and Pacific. Mexico and Central America are US-CENTRAL, the Caribbean is US-EAST; EUROPE
 * extends to Iran and Kazakhstan, ASIAPAC begins with Afghanistan and Pakistan.
 */
import { type Georegion, georegions } from "../../lib/facts.ts";

export interface Place {
  readonly georegion: Georegion;
  readonly latitude: number;
  readonly longitude: number;
}

/** Returns the place of a subdivision that is in the table, otherwise of its country. Undefined for unknown codes. */
export function findPlace(country: string, subdivision?: string): Place | undefined {
  return (subdivision === undefined ? undefined : places.get(`${country}-${subdivision}`)) ?? places.get(country);
}

/** Whether a country can have this subdivision; always true for countries other than the USA and Canada. */
export function maySubdivide(country: string, subdivision: string): boolean {
  return !spansRegions(country) || places.has(`${country}-${subdivision}`);
}

/** Whether the subdivisions of a country are in different georegions. */
export const spansRegions = (country: string) => country === "US" || country === "CA";

/** The points for distances between regions, roughly the centres of their users. */
export const regionCentres: Readonly<Record<Georegion, Omit<Place, "georegion">>> = {
  "US-EAST": { latitude: 39, longitude: -78 },
  "US-CENTRAL": { latitude: 37, longitude: -95 },
  "US-WEST": { latitude: 39, longitude: -119 },
  EUROPE: { latitude: 50, longitude: 12 },
  ASIAPAC: { latitude: 20, longitude: 110 },
  "SOUTH-AMERICA": { latitude: -15, longitude: -58 },
  AFRICA: { latitude: 3, longitude: 21 },
};

const table: Readonly<Record<Georegion, string>> = {
  "US-EAST": `
    US-CT 41.5 -72.5, US-DC 39 -77, US-DE 39 -75.5, US-FL 28.5 -82.5, US-GA 32.5 -83.5, US-IN 40 -86, US-KY 37.5 -85.5,
    US-MA 42.5 -72, US-MD 39 -76.5, US-ME 45.5 -69, US-MI 44.5 -85, US-NC 35.5 -79.5, US-NH 43.5 -71.5, US-NJ 40 -74.5,
    US-NY 43 -75.5, US-OH 40.5 -82.5, US-PA 41 -77.5, US-RI 41.5 -71.5, US-SC 34 -81, US-VA 37.5 -78.5, US-VT 44 -72.5,
    US-WV 38.5 -80.5, US-PR 18 -66.5, US-VI 18.5 -65,
    CA 60 -95, CA-NB 46.5 -66.5, CA-NL 53 -60, CA-NS 45 -63, CA-NU 70 -90, CA-ON 50 -86, CA-PE 46.5 -63, CA-QC 52 -72,
    AG 17 -62, AI 18.5 -63, AW 12.5 -70, BB 13 -59.5, BL 18 -63, BM 32.5 -65, BQ 12 -68.5, BS 24 -76, CU 21.5 -80,
    CW 12 -69, DM 15.5 -61.5, DO 19 -70.5, GD 12 -61.5, GP 16.5 -61.5, HT 19 -72.5, JM 18 -77.5, KN 17.5 -62.5,
    KY 19.5 -80.5, LC 14 -61, MF 18 -64, MQ 14.5 -61, MS 16.5 -62, PM 47 -56.5, PR 18.5 -66.5, SX 18 -63, TC 21.5 -71.5,
    TT 11 -61, VC 13.5 -61, VG 18.5 -64.5, VI 18.5 -65`,
  "US-CENTRAL": `
    US 38 -97, US-AL 33 -87, US-AR 35 -92.5, US-IA 42 -93.5, US-IL 40 -89, US-KS 38.5 -98.5, US-LA 31 -92,
    US-MN 46 -94.5, US-MO 38.5 -92.5, US-MS 32.5 -89.5, US-ND 47.5 -100.5, US-NE 41.5 -99.5, US-OK 35.5 -97.5,
    US-SD 44.5 -100, US-TN 36 -86.5, US-TX 31.5 -99, US-WI 44.5 -89.5,
    CA-MB 55 -97, CA-SK 54 -106,
    BZ 17.5 -88.5, CR 10 -84, GT 15.5 -90.5, HN 15 -86.5, MX 23 -102, NI 13 -85, PA 9 -80, SV 14 -89`,
  "US-WEST": `
    US-AK 64 -152, US-AZ 34.5 -111.5, US-CA 37 -119.5, US-CO 39 -105.5, US-HI 20.5 -157, US-ID 44.5 -114.5,
    US-MT 47 -109.5, US-NM 34.5 -106, US-NV 39.5 -116.5, US-OR 44 -120.5, US-UT 39.5 -111.5, US-WA 47.5 -120.5,
    US-WY 43 -107.5,
    CA-AB 55 -115, CA-BC 54 -125, CA-NT 65 -119, CA-YT 63 -135.5`,
  EUROPE: `
    AD 42.5 1.5, AE 24 54, AL 41 20, AM 40 45, AT 47.5 13.5, AX 60 20, AZ 40.5 47.5, BA 44 18, BE 51 4, BG 43 25,
    BH 26 50.5, BY 53 28, CH 47 8, CY 35 33, CZ 50 15.5, DE 51 9, DK 56 10, EE 59 26, ES 40 -4, FI 64 26, FO 62 -7,
    FR 46 2, GB 54 -2, GE 42 43.5, GG 49.5 -2.5, GI 36 -5.5, GL 72 -40, GR 39 22, HR 45 15.5, HU 47 20, IE 53 -8,
    IL 31.5 35, IM 54 -4.5, IQ 33 44, IR 32 53, IS 65 -18, IT 43 13, JE 49 -2, JO 31 36, KW 29.5 45.5, KZ 48 68,
    LB 34 36, LI 47.5 9.5, LT 56 24, LU 50 6, LV 57 25, MC 43.5 7.5, MD 47 29, ME 42.5 19.5, MK 42 22, MT 36 14.5,
    NL 52.5 6, NO 62 10, OM 21 57, PL 52 20, PS 32 35, PT 39.5 -8, QA 25.5 51, RO 46 25, RS 44 21, RU 60 100, SA 25 45,
    SE 62 15, SI 46 15, SJ 78 20, SK 48.5 19.5, SM 44 12.5, SY 35 38, TR 39 35, UA 49 32, VA 42 12.5, XK 42.5 21,
    YE 15 48`,
  ASIAPAC: `
    US-AS -14.5 -170, US-GU 13.5 145, US-MP 15 145.5, US-UM 19.5 166.5,
    AF 33 65, AS -14.5 -170, AU -27 133, BD 24 90, BN 4.5 114.5, BT 27.5 90.5, CC -12.5 97, CK -21 -160, CN 35 105,
    CX -10.5 105.5, FJ -18 178, FM 7 158, GU 13.5 145, HK 22.5 114, HM -53 72.5, ID -5 120, IN 20 77, IO -6 71.5,
    JP 36 138, KG 41 75, KH 13 105, KI 1.5 173, KP 40 127, KR 37 127.5, LA 18 105, LK 7 81, MH 9 168, MM 22 98,
    MN 46 105, MO 22 113.5, MP 15 145.5, MV 3 73, MY 2.5 112.5, NC -21.5 165.5, NF -29 168, NP 28 84, NR -0.5 167,
    NU -19 -170, NZ -41 174, PF -15 -140, PG -6 147, PH 13 122, PK 30 70, PN -25 -130, PW 7.5 134.5, SB -8 159,
    SG 1.5 104, TH 15 100, TJ 39 71, TK -9 -172, TL -9 126, TM 40 60, TO -20 -175, TV -8 178, TW 23.5 121, UM 19.5 166.5,
    UZ 41 64, VN 16 106, VU -16 167, WF -13.5 -176, WS -13.5 -172.5`,
  "SOUTH-AMERICA": `
    AQ -90 0, AR -34 -64, BO -17 -65, BR -10 -55, CL -30 -71, CO 4 -72, EC -2 -77.5, FK -52 -59, GF 4 -53,
    GS -54.5 -37, GY 5 -59, PE -10 -76, PY -23 -58, SR 4 -56, UY -33 -56, VE 8 -66`,
  AFRICA: `
    AO -12.5 18.5, BF 13 -2, BI -3.5 30, BJ 9.5 2, BV -54.5 3.5, BW -22 24, CD 0 25, CF 7 21, CG -1 15, CI 8 -5, CM 6 12,
    CV 16 -24, DJ 11.5 43, DZ 28 3, EG 27 30, EH 24.5 -13, ER 15 39, ET 8 38, GA -1 11.5, GH 8 -2, GM 13.5 -16.5,
    GN 11 -10, GQ 2 10, GW 12 -15, KE 1 38, KM -12 44, LR 6.5 -9.5, LS -29.5 28.5, LY 25 17, MA 32 -5, MG -20 47,
    ML 17 -4, MR 20 -12, MU -20.5 57.5, MW -13.5 34, MZ -18 35, NA -22 17, NE 16 8, NG 10 8, RE -21 55.5, RW -2 30,
    SC -4.5 55.5, SD 15 30, SH -16 -5.5, SL 8.5 -11.5, SN 14 -14, SO 10 49, SS 8 30, ST 1 7, SZ -26.5 31.5, TD 15 19,
    TF -49.5 69.5, TG 8 1, TN 34 9, TZ -6 35, UG 1 32, YT -13 45, ZA -29 24, ZM -15 30, ZW -20 30`,
};

const places: ReadonlyMap<string, Place> = new Map(georegions.flatMap((region) => scan(region, table[region])));

function scan(georegion: Georegion, text: string): [string, Place][] {
  return text.split(",").map((entry) => {
    const [code = "", latitude, longitude] = entry.trim().split(" ");
    return [code, { georegion, latitude: Number(latitude), longitude: Number(longitude) }];
  });
}
