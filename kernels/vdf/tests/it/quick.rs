use karat_vdf::*;
fn hex(t: &str) -> Vec<u8> {
    (0..t.len() / 2)
        .map(|i| u8::from_str_radix(&t[2 * i..2 * i + 2], 16).unwrap())
        .collect()
}
#[test]
fn golden() {
    // vdf_bench square 100000
    let d = Discriminant::from_hex(&format!(
        "-0x{:x}",
        D.parse::<num_bigint::BigUint>().unwrap()
    ))
    .unwrap();
    let t = std::time::Instant::now();
    let y = square_many(&Form::generator(&d), 100000, &d);
    println!("{:?}", t.elapsed());
    assert_eq!(
        format!("{:x}", y.a()),
        "565ec0f1144116de4ef08542829a7630720308529d6194263a69b8c47a9101c6a38b9ab42c3fc3f55d05909d88e37122e27584248973c78ede88064d6f486354"
    );
}
const D: &str = "141140317794792668862943332656856519378482291428727287413318722089216448567155737094768903643716404517549715385664163360316296284155310058980984373770517398492951860161717960368874227473669336541818575166839209228684755811071416376384551902149780184532086881683576071479646499601330824259260645952517205526679";
#[test]
fn vectors() {
    let text = std::fs::read_to_string("/tmp/chiavdf-src/src/vdf.txt").unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let mut n = 0;
    let (mut td, mut tv) = (0.0, 0.0);
    for v in lines
        .chunks(6)
        .filter(|v| v.len() == 6 && v[5].trim() == "0")
    {
        let t = std::time::Instant::now();
        let d = Discriminant::from_seed(&hex(v[0].trim()), v[1].trim().parse().unwrap()).unwrap();
        td += t.elapsed().as_secs_f64();
        let t = std::time::Instant::now();
        let x = Form::from_bytes(&hex(v[2].trim()), &d).unwrap();
        let p = Proof::from_bytes(&hex(v[3].trim()), &d).unwrap();
        verify(&x, &p, v[4].trim().parse().unwrap(), &d).unwrap();
        tv += t.elapsed().as_secs_f64();
        n += 1;
    }
    println!(
        "{n} vectors, discr {} ms, verify {} ms",
        td * 1e3 / n as f64,
        tv * 1e3 / n as f64
    );
}
