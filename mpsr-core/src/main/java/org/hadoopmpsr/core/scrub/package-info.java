/** Decides when segments are read to find out whether they are sound, and which group is right where groups disagree. */
package org.hadoopmpsr.core.scrub;
