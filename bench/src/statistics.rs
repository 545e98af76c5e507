/// Returns the median, which outliers at either end do not affect.
pub fn median(values: &[f64]) -> f64 {
    percentile(values, 50.0)
}

/// Returns the value that `percent` of the values do not exceed.
pub fn percentile(values: &[f64], percent: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    if sorted.is_empty() {
        return f64::NAN;
    }
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let place = ((sorted.len() - 1) as f64 * percent / 100.0).round() as usize;
    sorted[place]
}

/// Returns the median of the ratios of interleaved pairs.
pub fn median_ratio(ours: &[f64], theirs: &[f64]) -> f64 {
    let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect();
    median(&ratios)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middles_and_edges() {
        let values = [5.0, 1.0, 3.0, 2.0, 4.0];
        assert!((median(&values) - 3.0).abs() < f64::EPSILON);
        assert!((percentile(&values, 100.0) - 5.0).abs() < f64::EPSILON);
        assert!((median_ratio(&[2.0, 4.0, 60.0], &[1.0, 2.0, 3.0]) - 2.0).abs() < f64::EPSILON);
        assert!(median(&[]).is_nan());
    }
}
