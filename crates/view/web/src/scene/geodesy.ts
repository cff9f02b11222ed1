/** Latitude and longitude of a place near an origin on the WGS 84 ellipsoid (a = 6378137 m, e² = 0.00669438). The radii
 *  of curvature at the origin are good to a metre within 10 km, which is enough for labels. */
export function latitudeLongitude(
  origin: { latitude: number; longitude: number },
  north: number,
  east: number,
): { latitude: number; longitude: number } {
  const a = 6378137;
  const e2 = 0.00669437999014;
  const latitude = (origin.latitude * Math.PI) / 180;
  const w2 = 1 - e2 * Math.sin(latitude) ** 2;
  const meridian = (a * (1 - e2)) / w2 ** 1.5;
  const vertical = a / Math.sqrt(w2);
  return {
    latitude: origin.latitude + ((north / meridian) * 180) / Math.PI,
    longitude: origin.longitude + ((east / (vertical * Math.cos(latitude))) * 180) / Math.PI,
  };
}
