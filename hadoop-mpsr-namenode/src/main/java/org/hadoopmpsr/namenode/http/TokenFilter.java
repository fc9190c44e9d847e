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
package org.hadoopmpsr.namenode.http;

import java.io.IOException;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.apache.hadoop.hdfs.web.WebHdfsFileSystem;

/**
 * Lets the NameNode's authentication see requests as ones of WebHDFS. It leaves a request with a delegation token to
 * WebHDFS, which verifies the token; so does {@link Callers} with ours.
 */
final class TokenFilter implements Filter {

    @Override
    public void init(FilterConfig config) {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(new AsWebHdfs((HttpServletRequest) request), response);
    }

    @Override
    public void destroy() {}

    private static final class AsWebHdfs extends HttpServletRequestWrapper {
        AsWebHdfs(HttpServletRequest request) {
            super(request);
        }

        @Override
        public String getServletPath() {
            return WebHdfsFileSystem.PATH_PREFIX + super.getServletPath();
        }
    }
}
