/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.core.readtimes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads as a mixture of lines: a read of {@code x} bytes belongs to line {@code k} with a probability of its own, and the logarithm of its
 * time is then normal around {@code log(c_k + f_k x)}. Lines, spreads and shares are those of the greatest likelihood that
 * expectation-maximization finds (Dempster, Laird, Rubin: "Maximum Likelihood from Incomplete Data via the EM Algorithm", JRSS B 39, 1977).
 * Immutable; deterministic.
 */
final class Mixture {
    /** No line's times vary less, as the standard deviation of their logarithms. */
    private static final double LEAST_SPREAD = 0.05;

    private static final int ROUNDS = 60;
    /** The rounds end when the log-likelihood of a read grows by less. */
    private static final double ENOUGH = 1e-5;
    /** The shares of a place begin as if it had had so many reads with the shares of all. */
    private static final double BELIEVED = 5;

    private static final int MOST_LINES = 8;
    private static final double LOG_ROOT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    private final LinearTime[] lines;
    private final double[] spreads;
    /** By place and line. */
    private final double[][] shares;

    /** By place and line: the logarithm of the share divided by the spread. */
    private final double[][] heights;

    private final double likelihood;

    private Mixture(LinearTime[] lines, double[] spreads, double[][] shares, double likelihood) {
        this.lines = lines;
        this.spreads = spreads;
        this.shares = shares;
        this.likelihood = likelihood;
        this.heights = new double[shares.length][lines.length];
        for (int p = 0; p < shares.length; p++) {
            for (int k = 0; k < lines.length; k++) {
                heights[p][k] = Math.log(shares[p][k]) - Math.log(spreads[k]) - LOG_ROOT_TWO_PI;
            }
        }
    }

    /**
     * The mixture of as many lines as Bayes' information criterion wants (Schwarz: "Estimating the Dimension of a Model", Annals of Statistics
     * 6, 1978). From the lines that are given, each line in turn is replaced by two, one above and one below it, as long as the criterion gets
     * better. At last each place gets shares of its own: it may be that one host alone has reads of a slow disk.
     *
     * @param reads at least one
     * @param place of each read, from 0
     * @param places how many there are
     * @param start at least one line, near to some reads
     */
    static Mixture of(List<ReadTime> reads, int[] place, int places, List<LinearTime> start) {
        int[] one = new int[reads.size()];
        Mixture best = one(reads, one, LinearTime.fit(reads));
        if (start.size() > 1) {
            best = better(reads, best, climbed(reads, one, start(reads, start)));
        }
        for (boolean grew = true; grew && best.lines.length < MOST_LINES; ) {
            Mixture before = best;
            for (int k = 0; k < before.lines.length; k++) {
                best = better(reads, best, climbed(reads, one, before.split(k)));
            }
            grew = best != before;
        }
        return climbed(reads, place, best.at(places));
    }

    /**
     * The mixture of lines that are known, with the likeliest shares of each place.
     *
     * @param reads at least one
     * @param place of each read, from 0
     * @param places how many there are
     * @param spreads of the lines
     */
    static Mixture ofKnown(List<ReadTime> reads, int[] place, int places, List<LinearTime> lines, double[] spreads) {
        double[] alike = new double[spreads.length];
        Arrays.fill(alike, 1.0 / spreads.length);
        LinearTime[] known = lines.toArray(new LinearTime[0]);
        Mixture start = new Mixture(known, spreads, new double[][] {alike}, 0);
        Mixture ofAll = climbed(reads, new int[reads.size()], start, known.length);
        return climbed(reads, place, ofAll.at(places), known.length);
    }

    /**
     * The mixture of a line that is known and of one that is to be found: the second one.
     *
     * @param reads at least one
     * @param known with its spread
     * @param start where the other line is looked for first, with a spread
     */
    static Mixture besideKnown(
            List<ReadTime> reads, LinearTime known, double spread, LinearTime start, double startSpread) {
        LinearTime[] both = {known, start};
        double[] spreads = {spread, startSpread};
        return climbed(reads, new int[reads.size()], new Mixture(both, spreads, new double[][] {{0.1, 0.9}}, 0), 1);
    }

    LinearTime line(int which) {
        return lines[which];
    }

    double spread(int which) {
        return spreads[which];
    }

    private static Mixture one(List<ReadTime> reads, int[] place, LinearTime line) {
        return climbed(reads, place, new Mixture(new LinearTime[] {line}, new double[] {1}, new double[][] {{1}}, 0));
    }

    /** Lines with the reads that are nearest to them. */
    private static Mixture start(List<ReadTime> reads, List<LinearTime> lines) {
        int n = lines.size();
        double[] squares = new double[n];
        double[] count = new double[n];
        for (ReadTime read : reads) {
            int nearest = 0;
            for (int k = 1; k < n; k++) {
                nearest = lines.get(k).off(read) < lines.get(nearest).off(read) ? k : nearest;
            }
            squares[nearest] +=
                    lines.get(nearest).off(read) * lines.get(nearest).off(read);
            count[nearest]++;
        }
        double[] spreads = new double[n];
        double[] shares = new double[n];
        for (int k = 0; k < n; k++) {
            spreads[k] = Math.max(LEAST_SPREAD, Math.sqrt(squares[k] / Math.max(1, count[k])));
            shares[k] = (count[k] + 1) / (reads.size() + n);
        }
        return new Mixture(lines.toArray(new LinearTime[0]), spreads, new double[][] {shares}, 0);
    }

    private static Mixture better(List<ReadTime> reads, Mixture a, Mixture b) {
        return b.criterion(reads.size()) < a.criterion(reads.size()) ? b : a;
    }

    /** Two parameters of each line, its spread, and its share; the last share follows from the others. */
    private double criterion(int reads) {
        return (4 * lines.length - 1) * Math.log(reads) - 2 * likelihood;
    }

    /** One line becomes two. */
    private Mixture split(int which) {
        int n = lines.length;
        LinearTime[] split = Arrays.copyOf(lines, n + 1);
        double[] spread = Arrays.copyOf(spreads, n + 1);
        double[] share = Arrays.copyOf(shares[0], n + 1);
        split[n] = lines[which].times(Math.exp(spreads[which]));
        split[which] = lines[which].times(Math.exp(-spreads[which]));
        spread[n] = spread[which] = Math.max(LEAST_SPREAD, spreads[which] / 2);
        share[n] = share[which] = share[which] / 2;
        return new Mixture(split, spread, new double[][] {share}, 0);
    }

    private Mixture at(int places) {
        double[][] each = new double[places][];
        Arrays.fill(each, shares[0]);
        return new Mixture(lines, spreads, each, likelihood);
    }

    /** Expectation and maximization in turn, until the likelihood grows no more. */
    private static Mixture climbed(List<ReadTime> reads, int[] place, Mixture start) {
        return climbed(reads, place, start, 0);
    }

    private static Mixture climbed(List<ReadTime> reads, int[] place, Mixture start, int known) {
        double[] logs = reads.stream().mapToDouble(ReadTime::logNanos).toArray();
        Mixture now = start;
        double before = Double.NEGATIVE_INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            double[][] of = new double[reads.size()][];
            double likelihood = 0;
            for (int i = 0; i < of.length; i++) {
                of[i] = new double[now.lines.length];
                likelihood += now.weigh(reads.get(i).bytes(), logs[i], place[i], of[i]);
            }
            now = now.with(likelihood);
            if (likelihood - before < ENOUGH * reads.size()) {
                break;
            }
            before = likelihood;
            now = now.fitted(reads, logs, place, of, known);
        }
        return now;
    }

    /**
     * The probabilities that a read belongs to each line.
     *
     * @param to gets them
     * @return the logarithm of the density at the read
     */
    private double weigh(double bytes, double logNanos, int place, double[] to) {
        double most = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < to.length; k++) {
            double z = (logNanos - lines[k].logOf(bytes)) / spreads[k];
            to[k] = heights[place][k] - 0.5 * z * z;
            most = Math.max(most, to[k]);
        }
        double sum = 0;
        for (int k = 0; k < to.length; k++) {
            to[k] = Math.exp(to[k] - most);
            sum += to[k];
        }
        for (int k = 0; k < to.length; k++) {
            to[k] /= sum;
        }
        return most + Math.log(sum);
    }

    private Mixture with(double itsLikelihood) {
        return new Mixture(lines, spreads, shares, itsLikelihood);
    }

    /** @param known so many lines stay as they are */
    private Mixture fitted(List<ReadTime> reads, double[] logs, int[] place, double[][] of, int known) {
        int n = lines.length;
        LinearTime[] fitted = new LinearTime[n];
        double[] spread = new double[n];
        double[] all = new double[n];
        for (int k = 0; k < n; k++) {
            double[] weights = new double[of.length];
            for (int i = 0; i < of.length; i++) {
                weights[i] = of[i][k];
                all[k] += of[i][k];
            }
            fitted[k] = lines[k];
            spread[k] = spreads[k];
            if (k < known) {
                continue;
            }
            fitted[k] = lines[k].nearer(reads, logs, weights);
            double squares = 0;
            for (int i = 0; i < of.length; i++) {
                double off = logs[i] - fitted[k].logOf(reads.get(i).bytes());
                squares += weights[i] * off * off;
            }
            spread[k] = Math.max(LEAST_SPREAD, Math.sqrt(squares / Math.max(1e-9, all[k])));
        }
        return new Mixture(fitted, spread, shares(place, of, all), 0);
    }

    private double[][] shares(int[] place, double[][] of, double[] all) {
        int n = lines.length;
        double[][] sums = new double[shares.length][n];
        double[] reads = new double[shares.length];
        for (int i = 0; i < of.length; i++) {
            reads[place[i]]++;
            for (int k = 0; k < n; k++) {
                sums[place[i]][k] += of[i][k];
            }
        }
        for (int p = 0; p < sums.length; p++) {
            for (int k = 0; k < n; k++) {
                double usual = (all[k] + 1e-3) / (of.length + n * 1e-3);
                sums[p][k] = shares.length == 1 ? usual : (sums[p][k] + BELIEVED * usual) / (reads[p] + BELIEVED);
            }
        }
        return sums;
    }

    /** The probabilities that a read at a place belongs to each line; their sum is 1. */
    double[] of(ReadTime read, int place) {
        double[] of = new double[lines.length];
        weigh(read.bytes(), read.logNanos(), place, of);
        return of;
    }

    /**
     * Lines that belong together, because reads of one are taken for reads of the other with a probability above {@code most} (Hennig: "Methods
     * for merging Gaussian mixture components", Advances in Data Analysis and Classification 4, 2010: directly estimated
     * misclassification probabilities). The pair with the greatest probability is joined first, then all are estimated anew.
     *
     * @param of for each read the probabilities of lines
     * @return for each line the number of its class, from 0 without gaps
     */
    static int[] joined(List<double[]> of, double most) {
        int lines = of.get(0).length;
        List<List<Integer>> classes = new ArrayList<>();
        for (int k = 0; k < lines; k++) {
            classes.add(new ArrayList<>(List.of(k)));
        }
        for (boolean again = true; again && classes.size() > 1; ) {
            double[][] taken = taken(of, classes);
            int first = 0;
            int second = 1;
            for (int a = 0; a < taken.length; a++) {
                for (int b = a + 1; b < taken.length; b++) {
                    if (taken[a][b] > taken[first][second]) {
                        first = a;
                        second = b;
                    }
                }
            }
            again = taken[first][second] > most;
            if (again) {
                classes.get(first).addAll(classes.remove(second));
            }
        }
        int[] joined = new int[lines];
        for (int c = 0; c < classes.size(); c++) {
            for (int k : classes.get(c)) {
                joined[k] = c;
            }
        }
        return joined;
    }

    /** For each pair of classes, the greater probability of the two that one's reads are taken for the other's. */
    private static double[][] taken(List<double[]> of, List<List<Integer>> classes) {
        int n = classes.size();
        double[][] taken = new double[n][n];
        double[] all = new double[n];
        for (double[] lines : of) {
            double[] each = summed(lines, classes);
            int likeliest = likeliest(each);
            for (int c = 0; c < n; c++) {
                all[c] += each[c];
                taken[c][likeliest] += each[c];
            }
        }
        double[][] greater = new double[n][n];
        for (int a = 0; a < n; a++) {
            for (int b = 0; b < n; b++) {
                greater[a][b] = Math.max(taken[a][b] / Math.max(1e-9, all[a]), taken[b][a] / Math.max(1e-9, all[b]));
            }
        }
        return greater;
    }

    private static double[] summed(double[] lines, List<List<Integer>> classes) {
        return classes.stream()
                .mapToDouble(its -> its.stream().mapToDouble(k -> lines[k]).sum())
                .toArray();
    }

    static int likeliest(double[] probabilities) {
        int likeliest = 0;
        for (int k = 1; k < probabilities.length; k++) {
            likeliest = probabilities[k] > probabilities[likeliest] ? k : likeliest;
        }
        return likeliest;
    }
}
