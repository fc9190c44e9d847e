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
package org.hadoopmpsr.namenode.calls;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.hadoopmpsr.namenode.segment.ReplacedFiles;

/** A WebHDFS call that reads a replaced file where it is now, in place of one that reads it by the path that it had. */
final class ReplacedWebRead extends HttpServletRequestWrapper {
    private static final Set<String> READS = Set.of(
            "OPEN", "GETFILESTATUS", "LISTSTATUS", "GETFILECHECKSUM", "GETFILEBLOCKLOCATIONS", "GET_BLOCK_LOCATIONS");

    private final String prefix;
    private final String path;
    private final String uri;

    private ReplacedWebRead(HttpServletRequest call, String prefix, String path) throws IOException {
        super(call);
        this.prefix = prefix;
        this.path = path;
        try {
            this.uri = new URI(null, null, prefix + path, null).getRawPath();
        } catch (URISyntaxException e) {
            throw new IOException("the path " + path + " cannot be a part of a URL", e);
        }
    }

    /**
     * The call that has the answer.
     *
     * @param prefix that of WebHDFS, before the paths of files
     * @param named the path that the call names, as HDFS knows it
     */
    static HttpServletRequest of(
            ReplacedFiles replaced, HttpServletRequest call, String prefix, String op, String named)
            throws IOException {
        String now = READS.contains(op) ? replaced.of(named).orElse("") : "";
        return now.isEmpty() ? call : new ReplacedWebRead(call, prefix, now);
    }

    @Override
    public String getServletPath() {
        return prefix;
    }

    @Override
    public String getPathInfo() {
        return path;
    }

    @Override
    public String getRequestURI() {
        return uri;
    }

    @Override
    public StringBuffer getRequestURL() {
        StringBuffer url = super.getRequestURL();
        url.setLength(url.length() - super.getRequestURI().length());
        return url.append(uri);
    }
}
