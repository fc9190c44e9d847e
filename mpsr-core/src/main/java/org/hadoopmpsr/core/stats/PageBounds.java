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
package org.hadoopmpsr.core.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Finds how well the pages of a column tell values apart. For one thread.
 *
 * @param <T> of values
 */
public final class PageBounds<T> {
    private final Comparator<? super T> order;
    private final List<T> least = new ArrayList<>();
    private final List<T> greatest = new ArrayList<>();
    private int pages;
    private boolean isUnknown;

    /** @param order of the values, as readers compare them with the bounds of a page */
    public PageBounds(Comparator<? super T> order) {
        this.order = order;
    }

    /** Adds a page with its bounds. */
    public void add(T min, T max) {
        pages++;
        least.add(min);
        greatest.add(max);
    }

    /** Adds a page whose values are all null. */
    public void addNulls() {
        pages++;
    }

    /** Adds a page whose bounds are not known: readers read it for every value. */
    public void addUnknown() {
        isUnknown = true;
    }

    /**
     * About the share of the pages whose bounds allow for a value, above 0 and at most 1. Of pages that follow one another it is about
     * 1 / (2 pages), and where all pages have values from all over the column it is 1. -1 if a page has unknown bounds, if there are no values, or if there
     * is only one page.
     *
     * <p>It is the mean over the values in the pages, and does not depend on how these are spread: pages are counted whose bounds overlap with those of a page. If
     * the page has one value, they all allow for it. Else, two intervals of width w, at random places of an interval of width 1, overlap with the probability
     * o = 2w - w² where w is small, and where it is 1; a value is in w of them, which is 1 - √(1 - o).
     */
    public double share() {
        if (isUnknown || pages < 2 || least.isEmpty()) {
            return -1;
        }
        List<T> begins = new ArrayList<>(least);
        List<T> ends = new ArrayList<>(greatest);
        begins.sort(order);
        ends.sort(order);
        double sum = 0;
        for (int i = 0; i < least.size(); i++) {
            T min = least.get(i);
            T max = greatest.get(i);
            // those that begin up to the end of this page, without those that end before it
            double overlapping = below(begins, max, true) - below(ends, min, false);
            double share = overlapping / pages;
            sum += order.compare(min, max) == 0 ? share : 1 - Math.sqrt(1 - share);
        }
        return sum / least.size();
    }

    /** How many of the sorted values are below a value, or equal to it where {@code orEqual}. */
    private int below(List<T> sorted, T value, boolean orEqual) {
        Comparator<T> sided = (a, b) -> {
            int sign = order.compare(a, b);
            return sign != 0 ? sign : orEqual ? -1 : 1;
        };
        return -1 - Collections.binarySearch(sorted, value, sided);
    }
}
