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
package org.hadoopmpsr.namenode.listing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.hdfs.web.JsonUtil;

/**
 * Answers WebHDFS listings of large directories of datasets as {@link WholeListings} answers those of RPC clients. WebHDFS reads the
 * pages of a {@code LISTSTATUS} itself, and sends those of a {@code LISTSTATUS_BATCH} one by one. Thread-safe.
 */
public final class WholeWebListings {
    private static final String WHOLE = "LISTSTATUS";
    private static final String PAGE = "LISTSTATUS_BATCH";
    private static final int MOST_BYTES = 32 << 20;
    private static final int TRIES = 10;
    private static final byte[] NOTHING = {};
    private static final byte[] BEFORE_ENTRIES =
            "{\"DirectoryListing\":{\"partialListing\":".getBytes(StandardCharsets.UTF_8);
    private static final byte[] AFTER_ENTRIES = ",\"remainingEntries\":0}}".getBytes(StandardCharsets.UTF_8);

    private final Exchanges exchanges;
    private final int pageEntries;

    /** @param pageEntries the entries of a page of HDFS */
    public WholeWebListings(Exchanges exchanges, int pageEntries) {
        this.exchanges = exchanges;
        this.pageEntries = pageEntries;
    }

    /** Lets WebHDFS answer a call. */
    public interface Call {
        void run(HttpServletRequest call, HttpServletResponse response) throws IOException, ServletException;
    }

    /**
     * Answers a call if it lists a large directory of a dataset.
     *
     * @return false if the call is none of these
     */
    public boolean answer(String op, String directory, HttpServletRequest call, HttpServletResponse response, Call hdfs)
            throws IOException, ServletException {
        boolean page = op.equals(PAGE);
        if (!page && !op.equals(WHOLE) || !exchanges.hasMoreThan(pageEntries, directory)) {
            return false;
        }
        String after = page ? call.getParameter("startafter") : null;
        if (after != null && !after.isEmpty()) {
            answerPage(directory, after, call, response, hdfs);
        } else {
            answerWhole(directory, page, call, response, hdfs);
        }
        return true;
    }

    private void answerPage(
            String directory, String after, HttpServletRequest call, HttpServletResponse response, Call hdfs)
            throws IOException, ServletException {
        HeldResponse held = new HeldResponse(response, Integer.MAX_VALUE);
        hdfs.run(call, held);
        if (exchanges.mayHaveBegunBefore(directory, after)) {
            refuse(directory, response);
        } else {
            held.release(NOTHING, NOTHING);
        }
    }

    private void answerWhole(
            String directory, boolean asPage, HttpServletRequest call, HttpServletResponse response, Call hdfs)
            throws IOException, ServletException {
        for (int i = 0; i < TRIES; i++) {
            Optional<Map<String, Integer>> before = exchanges.in(directory);
            HeldResponse held = new HeldResponse(response, asPage ? Integer.MAX_VALUE : MOST_BYTES);
            hdfs.run(asPage ? new AllEntries(call) : call, held);
            if (before.equals(exchanges.in(directory))) {
                boolean wrapped = asPage && held.getStatus() == HttpServletResponse.SC_OK;
                held.release(wrapped ? BEFORE_ENTRIES : NOTHING, wrapped ? AFTER_ENTRIES : NOTHING);
                return;
            }
            if (held.isOut()) {
                throw WholeListings.changed(directory); // the caller sees that the answer is cut off
            }
        }
        refuse(directory, response);
    }

    private static void refuse(String directory, HttpServletResponse response) throws IOException {
        response.setStatus(HttpServletResponse.SC_FORBIDDEN);
        response.setContentType("application/json");
        response.getOutputStream()
                .write(JsonUtil.toJsonString(WholeListings.changed(directory)).getBytes(StandardCharsets.UTF_8));
    }

    /** The call for all entries in place of one for the first page. */
    private static final class AllEntries extends HttpServletRequestWrapper {
        private AllEntries(HttpServletRequest call) {
            super(call);
        }

        @Override
        public String getQueryString() {
            return super.getQueryString().replaceAll("(?i)\\b" + PAGE + "\\b", WHOLE);
        }

        @Override
        public String getParameter(String name) {
            return name.equals("op") ? WHOLE : super.getParameter(name);
        }
    }
}
