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
package org.hadoopmpsr.benchmarks.scatter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * The chance that a cluster loses a record in a year, by Monte Carlo. Nodes and racks die for good, each at a constant rate,
 * independently. What died is written anew after a delay, one dead node after the other; records with one copy left go first.
 * A record is lost when all its copies are on nodes that are dead and not written anew.
 *
 * <p>Losses are too rare to be waited for. A cycle begins when the first node dies and ends when all is whole again. In a
 * cycle further deaths are drawn at a higher rate, such that each wait for a recovery ends with a death half of the time, and
 * the cycle has a weight: the likelihood of what was drawn at the true rate over that at the higher one (importance sampling;
 * Goyal, Shahabuddin, Heidelberger, Nicola and Glynn, "A unified framework for simulating Markovian models of highly
 * dependable systems", IEEE Transactions on Computers 41(1), 1992). The mean time to a loss is the mean length of a cycle over
 * the mean weight of its losses.
 */
final class YearlyLoss {
    private static final double YEAR = 365.25 * 86_400;
    /** In a cycle, after so many deaths of nodes or racks, more come at their true rate. */
    private static final int FORCED = 3;
    /** The share of deaths that are of racks, at least, while deaths are forced. */
    private static final double FORCED_RACKS = 0.3;
    /** With more exposed pairs, the expected loss is not averaged over all nodes. */
    private static final int MOST_AVERAGED = 4;

    private final Copies copies;
    private final double nodeRate;
    private final double rackRate;
    private final Random random;

    private List<Dead> dead = new ArrayList<>();
    private List<Exposed> exposed = new ArrayList<>();
    private double now;
    private double weight;
    private double lost;
    private int deaths;

    /** A dead node and when it is whole again, after so many seconds of writing. */
    private record Dead(int node, double end, double seconds) {}

    /** Two dead nodes that hold all copies but one of some records, a share of them, until the end. */
    private record Exposed(int a, int b, double share, double end) {}

    /**
     * An estimate.
     *
     * @param meanYears the mean time to a loss, in years
     * @param error the standard error of the chance, over the chance
     */
    record Estimate(double meanYears, double error) {
        /** The chance of a loss in a year. */
        double chance() {
            return -Math.expm1(-1 / meanYears);
        }
    }

    /**
     * @param nodeRate the deaths of a node in a year
     * @param rackRate the deaths of a rack, with all its nodes, in a year
     */
    YearlyLoss(Copies copies, double nodeRate, double rackRate, long seed) {
        this.copies = copies;
        this.nodeRate = nodeRate / YEAR;
        this.rackRate = rackRate / YEAR;
        this.random = new Random(seed);
    }

    /** Draws so many cycles, and a tenth as many at the true rates, for the length of a cycle. */
    Estimate estimate(int cycles) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < cycles; i++) {
            cycle(true);
            sum += lost;
            squares += lost * lost;
        }
        double seconds = 0;
        int plain = Math.max(1, cycles / 10);
        for (int i = 0; i < plain; i++) {
            cycle(false);
            seconds += now;
        }
        double mean = sum / cycles;
        double length = 1 / rate() + seconds / plain;
        double error = Math.sqrt(Math.max(0, squares / cycles - mean * mean) / cycles) / mean;
        return new Estimate(length / mean / YEAR, error);
    }

    /** Deaths in a second of what is alive. */
    private double rate() {
        return (copies.nodes() - dead.size()) * nodeRate + copies.racks() * rackRate;
    }

    private void cycle(boolean forced) {
        dead = new ArrayList<>();
        exposed = new ArrayList<>();
        now = 0;
        weight = 1;
        lost = 0;
        deaths = 0;
        die(forced);
        while (!dead.isEmpty() && weight > 0) {
            boolean more = forced && deaths < FORCED;
            double wait = Math.min(
                            dead.stream().mapToDouble(Dead::end).min().orElseThrow(),
                            exposed.stream().mapToDouble(Exposed::end).min().orElse(Double.POSITIVE_INFINITY))
                    - now;
            double rate = rate();
            double drawn = more ? Math.max(rate, Math.log(2) / wait) : rate;
            double death = -Math.log(1 - random.nextDouble()) / drawn;
            boolean dies = death < wait;
            double passed = dies ? death : wait;
            weight *= Math.exp((drawn - rate) * passed) * (dies ? rate / drawn : 1);
            now += passed;
            if (dies) {
                die(more);
            } else {
                recover();
            }
        }
    }

    /** What is whole by now is no longer exposed. */
    private void recover() {
        dead.removeIf(each -> each.end() <= now);
        exposed.removeIf(pair -> pair.end() <= now || !isDead(pair.a()) || !isDead(pair.b()));
    }

    private boolean isDead(int node) {
        return dead.stream().anyMatch(each -> each.node() == node);
    }

    /** A node dies that is alive, or a rack; racks more often than they do if that is forced. */
    private void die(boolean forced) {
        deaths++;
        double racks = copies.racks() * rackRate / rate();
        double drawn = forced && racks > 0 ? Math.max(racks, FORCED_RACKS) : racks;
        List<Exposed> pairs = new ArrayList<>();
        if (random.nextDouble() < drawn) {
            weight *= racks / drawn;
            dieTogether(random.nextInt(copies.racks()), pairs);
        } else {
            weight *= (1 - racks) / (1 - drawn);
            dieAlone(pairs);
        }
        double seconds = pairs.stream()
                .mapToDouble(pair -> pair.share() * copies.shared(pair.a(), pair.b()))
                .sum();
        for (Exposed pair : pairs) {
            double whole = Math.min(end(pair.a()), end(pair.b()));
            double first = now + copies.delay() + seconds;
            exposed.add(new Exposed(pair.a(), pair.b(), pair.share(), Math.min(whole, first)));
        }
    }

    private void dieTogether(int rack, List<Exposed> pairs) {
        for (int node = 0; node < copies.nodes(); node++) {
            if (copies.rack(node) == rack && !isDead(node)) {
                double survival = survival(node, exposed) * survival(node, pairs);
                lost += weight * (1 - survival);
                weight *= survival;
                add(node, pairs);
            }
        }
    }

    /** Which node dies is drawn; the loss that is expected is the mean of all nodes that may be drawn, which varies less. */
    private void dieAlone(List<Exposed> pairs) {
        int[] alive =
                IntStream.range(0, copies.nodes()).filter(node -> !isDead(node)).toArray();
        int node = alive[random.nextInt(alive.length)];
        if (!exposed.isEmpty()) {
            double survival = survival(node, exposed);
            double mean = exposed.size() > MOST_AVERAGED
                    ? survival
                    : Arrays.stream(alive)
                            .mapToDouble(each -> survival(each, exposed))
                            .average()
                            .orElseThrow();
            lost += weight * (1 - mean);
            weight *= survival;
        }
        add(node, pairs);
    }

    /** The chance that nothing is lost when a node dies besides pairs. */
    private double survival(int node, List<Exposed> pairs) {
        double survival = 1;
        for (Exposed pair : pairs) {
            survival *= 1 - copies.chance(pair.a(), pair.b(), node, pair.share());
        }
        return survival;
    }

    private void add(int node, List<Exposed> pairs) {
        for (Dead other : dead) {
            if (copies.shared(other.node(), node) > 0) {
                pairs.add(new Exposed(other.node(), node, Math.min(1, (other.end() - now) / other.seconds()), 0));
            }
        }
        double last = dead.stream().mapToDouble(Dead::end).max().orElse(now);
        double seconds = copies.whole(random);
        dead.add(new Dead(node, Math.max(now + copies.delay(), last) + seconds, seconds));
    }

    private double end(int node) {
        return dead.stream()
                .filter(each -> each.node() == node)
                .findAny()
                .orElseThrow()
                .end();
    }
}
